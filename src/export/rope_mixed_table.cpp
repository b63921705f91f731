// Tables of a mixed rotary embedding: cosines and sines of every head, by a model's frequencies.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "export/grid_table.hpp"
#include "export/tables.hpp"
#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/reference/rope_mixed_digits.hpp"
#include "ropewalk/table/rope_mixed_rows.hpp"

namespace ropewalk::tables {
namespace {

/// A row of the grid: all tokens of head 0, then those of head 1, ...
struct head_and_token {
  int head;
  std::int64_t token;
};
head_and_token place_of(std::int64_t row, std::int64_t tokens) {
  return {static_cast<int>(row / tokens), row % tokens};
}

template <floating_format Float>
class rows_of_heads : public grid_rows<Float> {
 public:
  rows_of_heads(const array_grid& grid, mixed_frequencies frequencies, input::axis_positions positions)
      : grid_rows<Float>(grid, frequencies.heads * positions.tokens()),
        frequencies_(std::move(frequencies)),
        positions_(std::move(positions)),
        rows_(frequencies_.config()) {}

 private:
  using typename grid_rows<Float>::entry;

  void evaluate(std::int64_t first, std::int64_t count, entry* cos, entry* sin) const override {
    std::size_t at = 0;
    for (std::int64_t row = first; row < first + count; ++row) {
      const auto [head, token] = place_of(row, positions_.tokens());
      for (const cos_sin_bits<Float>& made : rows_.template row<Float>(head, positions_.numbers_at(token))) {
        cos[at] = made.cos;
        sin[at++] = made.sin;
      }
    }
  }

  mixed_frequencies frequencies_;
  input::axis_positions positions_;
  rope_mixed_rows rows_;  // points to frequencies_
};

/// The grid has one row for each head and token: in a file they are two axes.
table_description description_of(const array_grid& grid, int heads, std::int64_t tokens) {
  table_description about = described(grid);
  about.shape.insert(about.shape.end() - 1, tokens);
  about.shape[about.shape.size() - 3] = heads;
  about.axes.insert(about.axes.find("positions"), "heads, ");
  about.rows_per_piece = slow_rows_per_piece(about.columns);
  return about;
}

class mixed_numbers : public grid_table {
 public:
  mixed_numbers(const array_grid& grid, mixed_frequencies frequencies, input::axis_positions positions)
      : grid_table(description_of(grid, frequencies.heads, positions.tokens()), grid),
        frequencies_(std::move(frequencies)),
        positions_(std::move(positions)) {}

  void put(input::json& record) const override {
    put_layout(record);
    record["positions"] = positions_.text();
    record["encoding"] = {{"name", "rope_mixed"},
                          {"axes", frequencies_.axes},
                          {"heads", frequencies_.heads},
                          {"pairs", frequencies_.pairs},
                          {"frequencies", frequencies_.place}};
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<rows_of_heads<Float>>(grid(), frequencies_, positions_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t row, int digits) const override {
    return cos_sin_digits(row, digits);
  }

 private:
  coordinates position_at(std::int64_t position_row) const override {
    const auto [head, token] = place_of(position_row, positions_.tokens());
    coordinates position{{"head", std::to_string(head)}};
    for (int axis = 0; axis < positions_.axes; ++axis)
      position.push_back({"axis " + std::to_string(axis), positions_.text_at(axis, token)});
    return position;
  }

  std::string digits_at(const array_place& place, int digits) const override {
    const auto [head, token] = place_of(place.position_row, positions_.tokens());
    const std::vector<double> at = positions_.numbers_at(token);
    return place.is_sin
               ? reference::rope_mixed_sin_digits(at, head, place.pair, frequencies_.config(), digits)
               : reference::rope_mixed_cos_digits(at, head, place.pair, frequencies_.config(), digits);
  }

  mixed_frequencies frequencies_;
  input::axis_positions positions_;
};

/// Refuses positions whose angles may be too large, before anything is written.
void refuse_large_angles(const mixed_frequencies& frequencies, const input::axis_positions& positions) {
  std::vector<double> farthest(static_cast<std::size_t>(frequencies.axes));
  for (std::int64_t token = 0; token < positions.tokens(); ++token) {
    const std::vector<double> at = positions.numbers_at(token);
    for (std::size_t axis = 0; axis < at.size(); ++axis)
      farthest[axis] = std::max(farthest[axis], std::abs(at[axis]));
  }
  const std::size_t of_axis = frequencies.values.size() / farthest.size();
  double angle = 0;
  for (std::size_t i = 0; i < frequencies.values.size(); ++i)
    if (const double value = farthest[i / of_axis] * std::abs(frequencies.values[i]); value > angle)
      angle = value;
  if (!(angle <= largest_number / (2 * largest_axis_count)))
    throw bad_input("positions", positions.text(),
                    "positions whose products with the frequencies stay below 2^1021");
}

}  // namespace

mixed_frequencies mixed_frequencies_from(const std::string& text) {
  static constexpr npy_dtype dtypes[] = {npy_dtype::f64, npy_dtype::f32};
  const input::whole_array array = input::read_array("frequencies", text, dtypes);
  std::vector<std::int64_t> shape = array.header.shape;
  if (shape.size() == 2) shape.insert(shape.begin() + 1, 1);
  const auto is_within = [&](std::size_t axis, std::int64_t most) {
    return shape[axis] >= 1 && shape[axis] <= most;
  };
  if (shape.size() != 3 || !is_within(0, largest_axis_count) || !is_within(1, largest_mixed_heads) ||
      !is_within(2, largest_head_dim / 2))
    throw bad_input("frequencies", text + " (shape " + shape_text(array.header.shape) + ")",
                    "shape (axes, heads, pairs), or (axes, pairs) for one head, with 1 to " +
                        std::to_string(largest_axis_count) +
                        " axes; a matrix (pairs, axes), as LightGlue's, is to be transposed");
  mixed_frequencies frequencies{text, static_cast<int>(shape[0]), static_cast<int>(shape[1]),
                                static_cast<int>(shape[2])};
  for (std::size_t at = 0; at < array.bytes.size(); at += size_of(array.header.dtype)) {
    double value = 0;
    float narrow = 0;
    if (array.header.dtype == npy_dtype::f64)
      std::memcpy(&value, array.bytes.data() + at, sizeof value);
    else
      std::memcpy(&narrow, array.bytes.data() + at, sizeof narrow), value = narrow;
    if (!std::isfinite(value))
      throw bad_input("frequencies",
                      text + " (entry " + std::to_string(at / size_of(array.header.dtype)) + " is " +
                          input::shortest_text(value) + ")",
                      "finite numbers");
    frequencies.values.push_back(value);
  }
  return frequencies;
}

std::unique_ptr<table> rope_mixed_table_of(const array_layout& layout, mixed_frequencies frequencies,
                                           input::axis_positions positions) {
  refuse_large_angles(frequencies, positions);
  const array_grid grid(layout, frequencies.pairs, frequencies.heads * positions.tokens());
  return std::make_unique<mixed_numbers>(grid, std::move(frequencies), std::move(positions));
}

}  // namespace ropewalk::tables
