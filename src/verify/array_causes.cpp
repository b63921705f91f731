#include "verify/array_causes.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "array/table_promises.hpp"
#include "diagnosis/addition_tables.hpp"
#include "diagnosis/pooled_hypotheses.hpp"
#include "input/kernel_words.hpp"

namespace ropewalk::verify {
namespace {

using diagnosis::table_cause, diagnosis::table_verdict;
using tables::table_kind;

constexpr std::int64_t places_per_row = 64;                  // per row of a bias table
constexpr std::int64_t most_numbers = 2 * largest_head_dim;  // per row of rotary numbers

/// Number of pairs of an array by its shape; none if its rank or its positions differ from those of a table
/// of its layout.
std::optional<int> pairs_of(const tables::rotary_content& content, const std::vector<std::int64_t>& shape) {
  const tables::array_layout& layout = content.layout;
  if (layout.kind == table_kind::turns || shape.empty() || shape.back() < 1 || shape.back() > most_numbers)
    return std::nullopt;
  const auto numbers = static_cast<int>(shape.back());
  if (!has_positions(layout)) return shape.size() == 1 ? std::optional(numbers) : std::nullopt;
  std::vector<std::int64_t> expected = grid_of(content).shape();
  expected.back() = shape.back();
  const bool has_two =
      (holds_both(layout) && !is_complex(layout)) || has_copies(layout);  // numbers per pair and row
  if (shape != expected || (has_two && numbers % 2 != 0)) return std::nullopt;
  return has_two ? numbers / 2 : numbers;
}

/// Adapts an array's bytes for the diagnosis. `has_rest`: the last column belongs to no pair.
diagnosis::given_array read_from(const wrong_array& wrong, const tables::array_layout& layout, int pairs,
                                 const tables::row_positions& positions, bool has_rest = false) {
  diagnosis::given_array array{layout, wrong.array->dtype, pairs, positions};
  const std::size_t bytes_read =
      static_cast<std::size_t>(diagnosis::grid_of(array).columns()) * tables::size_of(wrong.array->dtype);
  const std::size_t row_bytes = bytes_read + (has_rest ? tables::size_of(wrong.array->dtype) : 0);
  array.read = [bytes = wrong.bytes, row_bytes, bytes_read](std::int64_t row, std::byte* out) {
    std::memcpy(out, bytes->data() + static_cast<std::size_t>(row) * row_bytes, bytes_read);
  };
  if (wrong.place) array.places.push_back(*wrong.place);
  return array;
}

/// The cause of a wrong array that is not rotary.
template <class Suspects>
table_cause explained(const diagnosis::given_array& array, const Suspects& suspects) {
  return explain_table(array, suspects, promise::hf);
}

/// Whether a shape has one axis that is short enough for a row of numbers.
bool is_short_list(const std::vector<std::int64_t>& shape) {
  return shape.size() == 1 && shape[0] >= 1 && shape[0] <= largest_position;
}

}  // namespace

std::optional<table_cause> array_causes::found(const wrong_array& wrong) {
  const given_array& array = *wrong.array;
  const auto find = [&](const auto& content) -> std::optional<table_cause> {
    using content_type = std::remove_cvref_t<decltype(content)>;
    if constexpr (std::is_same_v<content_type, tables::rotary_content>) {
      const std::optional<int> pairs = pairs_of(content, wrong.shape);
      if (!pairs) return std::nullopt;
      auto& type = of_table_[array.content.get()];
      if (!type)
        type = std::make_unique<diagnosis::rotary_diagnosis>(
            content.model, content.positions.is_on_axes() ? &content.positions : nullptr);
      const diagnosis::given_array judged_array = read_from(wrong, content.layout, *pairs, content.positions);
      return type->explain(judged_array);
    } else if constexpr (std::is_same_v<content_type, tables::pooled_content>) {
      const tables::array_grid grid = grid_of(content);
      if (wrong.shape != grid.shape()) return std::nullopt;
      return explained(read_from(wrong, content.layout, grid.pairs(), content.positions),
                       diagnosis::pooled_suspects(content.model));
    } else if constexpr (std::is_same_v<content_type, tables::sinusoidal_content>) {
      if (wrong.shape != array.content->about().shape) return std::nullopt;
      const diagnosis::given_array judged_array =
          sinusoidal_array(read_from(wrong, {table_kind::cos_sin}, pair_count(content.config),
                                     content.positions, content.config.d_model % 2 != 0),
                           content.config);
      return explained(judged_array, diagnosis::sinusoidal_suspects(content.config));
    } else if constexpr (std::is_same_v<content_type, tables::slope_content>) {
      if (!is_short_list(wrong.shape)) return std::nullopt;
      return explained(read_from(wrong, {table_kind::alibi_slopes}, static_cast<int>(wrong.shape[0]), {}),
                       diagnosis::slope_suspects(content.config));
    } else if constexpr (std::is_same_v<content_type, tables::query_scale_content>) {
      if (!is_short_list(wrong.shape) || wrong.shape != array.content->about().shape) return std::nullopt;
      return explained(
          read_from(wrong, {table_kind::query_scale}, static_cast<int>(wrong.shape[0]), content.positions),
          diagnosis::query_scale_suspects(content.config, content.positions));
    } else if constexpr (std::is_same_v<content_type, tables::bias_content>) {
      const std::int64_t entries = content.config.heads * content.extent.queries * content.extent.keys;
      if (wrong.shape != array.content->about().shape || entries > largest_position) return std::nullopt;
      diagnosis::given_array judged_array =
          read_from(wrong, {table_kind::alibi_bias}, static_cast<int>(entries), {});
      const std::int64_t row = judged_array.places.empty() ? 0 : judged_array.places.front();
      judged_array.places.clear();
      for (std::int64_t i = 0; i < places_per_row; ++i)  // in the first wrong row
        judged_array.places.push_back(row * content.extent.keys +
                                      i * (content.extent.keys - 1) / (places_per_row - 1));
      return explained(judged_array, diagnosis::bias_suspects(content.config, content.extent));
    } else if constexpr (std::is_same_v<content_type, tables::bucket_content>) {
      if (!is_short_list(wrong.shape)) return std::nullopt;
      return explained(read_from(wrong, {table_kind::t5_buckets}, static_cast<int>(wrong.shape[0]), {}),
                       diagnosis::bucket_suspects(content.config, content.max_relative));
    } else {
      return std::nullopt;
    }
  };
  try {
    return std::visit(find, array.content->content());
  } catch (const std::invalid_argument&) {  // the promise has no bound for the attention factor
    return std::nullopt;
  }
}

std::optional<diagnosed> array_causes::of(const wrong_array& wrong) {
  std::optional<table_cause> cause = found(wrong);
  if (!cause) return std::nullopt;
  if (cause->verdict == table_verdict::holds) {
    // Cosines, sines and frequencies already have promises that allow this rounding.
    if (array::has_promises(*wrong.array->content)) return std::nullopt;
    cause->verdict = table_verdict::explained;
    cause->sentence =
        "rounding alone: every inspected entry is as close to the right number as binary32 "
        "forms it";
    cause->faults = {{"rounding-alone", cause->sentence}};
  }
  // An array of another layer type has that layer's base and rule.
  const auto other = std::find_if(cause->faults.begin(), cause->faults.end(),
                                  [](const auto& item) { return item.name == "other-layer-type"; });
  if (other != cause->faults.end()) {
    cause->faults = {*other};
    cause->sentence = other->sentence;
  }
  return diagnosed{input::visible(wrong.array->place.text()),
                   {wrong.array->subject},
                   {.verdict = cause->verdict == table_verdict::explained ? diagnosis::verdict::explained
                                                                          : diagnosis::verdict::not_explained,
                    .faults = cause->faults,
                    .sentence = text_of(*cause),
                    .common = cause->common,
                    .to_the_bit = false}};
}

}  // namespace ropewalk::verify
