#include "model/axes_block.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "input/bad_input.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

constexpr std::string_view section_key = "mrope_section";
constexpr std::string_view order_key = "mrope_interleaved";

}  // namespace

bool is_axes_key(std::string_view key) { return key == section_key || key == order_key; }

rope_axes read_axes(const json& block, const std::string& prefix, int pairs) {
  if (!block.is_object()) return {};
  const json& sections = value_of(block, section_key);
  const bool is_interleaved = flag_in(block, order_key, prefix).value_or(false);
  if (sections.is_null()) return {};
  rope_axes axes{is_interleaved ? axis_rule::mrope_interleaved : axis_rule::mrope, {}};
  std::int64_t sum = 0;
  bool is_list = sections.is_array() && sections.size() == 3;
  for (std::size_t i = 0; is_list && i < 3; ++i) {
    is_list = sections[i].is_number_unsigned() && sections[i].get<std::uint64_t>() <= largest_head_dim;
    if (is_list) sum += axes.mrope_section[i] = sections[i].get<int>();
  }
  const std::string field = prefix + std::string(section_key);
  if (!is_list || (pairs != 0 && sum != pairs))
    throw bad_input(
        field, shown(sections),
        "three whole numbers whose sum is rotary_dim / 2" + (pairs != 0 ? ": " + std::to_string(pairs) : ""));
  if (pairs == 0) return axes;
  try {
    validate(axes, {.rotary_dim = 2 * pairs});
  } catch (const std::invalid_argument&) {
    throw bad_input(field, shown(sections), "height and width sections that fit in every third pair");
  }
  return axes;
}

}  // namespace ropewalk::model
