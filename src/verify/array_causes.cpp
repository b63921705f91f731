#include "verify/array_causes.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "input/kernel_words.hpp"

namespace ropewalk::verify {
namespace {

using output::table_kind;

/// Number of pairs of an array by its shape; none if it has another rank, or other positions, than a table of
/// its layout.
std::optional<int> pairs_of(const output::rotary_content& content, const std::vector<std::int64_t>& shape) {
  const output::array_layout& layout = content.layout;
  const auto pairs_in = [](std::int64_t numbers) { return static_cast<int>(numbers); };
  if (shape.empty() || shape.back() < 1 || shape.back() > 2 * largest_head_dim) return std::nullopt;
  if (!has_positions(layout))
    return shape.size() == 1 && layout.kind != table_kind::turns ? std::optional(pairs_in(shape[0]))
                                                                 : std::nullopt;
  const bool has_planes =
      layout.kind == table_kind::cos_sin && layout.arrangement == output::cos_sin_layout::hf;
  const std::size_t rank = has_planes ? 3 : 2;
  if (shape.size() != rank || shape[rank - 2] != content.positions.size()) return std::nullopt;
  const bool has_both = layout.kind == table_kind::cos_sin && !is_complex(layout);
  if (has_both && shape.back() % 2 != 0) return std::nullopt;
  return pairs_in(has_both ? shape.back() / 2 : shape.back());
}

diagnosis::verdict verdict_of(diagnosis::table_verdict found) {
  return found == diagnosis::table_verdict::explained ? diagnosis::verdict::explained
                                                      : diagnosis::verdict::not_explained;
}

}  // namespace

std::optional<diagnosed> array_causes::of(const given_array& array, const std::vector<std::int64_t>& shape,
                                          const std::vector<std::byte>& bytes,
                                          std::optional<std::int64_t> place) {
  const std::optional<output::rotary_content> content = array.content->rotary();
  if (!content) return std::nullopt;
  const std::optional<int> pairs = pairs_of(*content, shape);
  if (!pairs) return std::nullopt;
  auto& by = of_table_[array.content.get()];
  if (!by) by = std::make_unique<diagnosis::rotary_diagnosis>(content->model);
  diagnosis::given_array given{content->layout, array.dtype, *pairs, content->positions};
  const std::size_t row_bytes =
      static_cast<std::size_t>(diagnosis::grid_of(given).columns()) *
      output::in_format(array.dtype, []<class Float>() { return sizeof(bits_of<Float>); });
  given.read = [&bytes, row_bytes](std::int64_t row, std::byte* out) {
    std::memcpy(out, bytes.data() + static_cast<std::size_t>(row) * row_bytes, row_bytes);
  };
  if (place) given.places.push_back(*place);
  try {
    diagnosis::table_cause found = by->explain(given);
    if (found.found == diagnosis::table_verdict::holds && !promises_bits(array.promised))
      found = by->explain(given, array.promised);
    if (found.found == diagnosis::table_verdict::holds) return std::nullopt;
    return diagnosed{input::visible(array.place.text()),
                     {array.subject},
                     {.found = verdict_of(found.found),
                      .faults = found.faults,
                      .sentence = text_of(found),
                      .common = found.common}};
  } catch (const std::invalid_argument&) {  // the promise has no bound for the attention factor
    return std::nullopt;
  }
}

}  // namespace ropewalk::verify
