#include "model/axes_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "input/bad_input.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr std::string_view section_key = "mrope_section";
constexpr std::string_view order_key = "mrope_interleaved";

}  // namespace

bool is_axes_key(std::string_view key) { return key == section_key || key == order_key; }

void report_axes(const rope_axes& axes, const std::string& origin, provenance& sources) {
  if (!is_mrope(axes)) return;
  const std::array<int, 3> numbers = sections_of(axes);
  sources.add("sections", fmt::format("[{},{},{}]", numbers[0], numbers[1], numbers[2]),
              origin + ": pairs of time, height and width, " +
                  (is_mrope_interleaved(axes) ? "interleaved" : "in consecutive runs") +
                  "; text has one position for all");
}

rope_axes read_axes(const json& block, const std::string& prefix, const axes_keys& keys) {
  const int pairs = keys.pairs;
  const bool has_axes = keys.by_type.is_given;
  const json given_sections = block.is_object() ? value_of(block, section_key) : json();
  const bool has_default = keys.missing_sections != std::array<int, 3>{};
  const std::vector<unsigned> own(keys.missing_sections.begin(), keys.missing_sections.end());
  const json sections = given_sections.is_null() && has_default ? json(own) : given_sections;
  const bool is_marked = block.is_object() && flag_in(block, order_key, prefix).value_or(false);
  if (sections.is_null() && has_axes)
    throw bad_input(prefix + std::string(section_key), "missing",
                    "three whole numbers: pairs of time, height, width");
  if (sections.is_null()) return {};
  const bool is_interleaved = has_axes ? keys.by_type.value == axis_order::modulo : is_marked;
  std::array<int, 3> sizes{};
  std::int64_t sum = 0;
  bool is_list = sections.is_array() && sections.size() == 3;
  for (std::size_t i = 0; is_list && i < 3; ++i) {
    is_list = sections[i].is_number_unsigned() && sections[i].get<std::uint64_t>() <= largest_head_dim;
    if (is_list) sum += sizes[i] = sections[i].get<int>();
  }
  const std::string field =
      given_sections.is_null() ? "the type's own mrope_section" : prefix + std::string(section_key);
  if (is_list && has_axes && is_interleaved && pairs != 0) {
    // Pairs 1, 4, ... are height's and 2, 5, ... width's, as far as there are any; the others are time's.
    sizes[1] = std::min(sizes[1], (pairs + 1) / 3);
    sizes[2] = std::min(sizes[2], pairs / 3);
    sizes[0] = pairs - sizes[1] - sizes[2];
    sum = pairs;
  }
  if (!is_list || (pairs != 0 && sum != pairs))
    throw bad_input(
        field, shown(sections),
        "three whole numbers whose sum is rotary_dim / 2" + (pairs != 0 ? ": " + std::to_string(pairs) : ""));
  const auto [time, height, width] = sizes;
  const rope_axes axes = is_interleaved ? mrope_interleaved(time, height, width) : mrope(time, height, width);
  if (pairs == 0) return axes;
  try {
    validate(axes, {.rotary_dim = 2 * pairs});
  } catch (const std::invalid_argument&) {
    throw bad_input(field, shown(sections), "height and width sections that fit in every third pair");
  }
  return axes;
}

}  // namespace ropewalk::model
