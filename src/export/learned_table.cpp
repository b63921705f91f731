// Tables of learned positions: rows of a model's weights, copied bit for bit.

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "export/tables.hpp"
#include "input/array_file.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/encoding/learned.hpp"

namespace ropewalk::tables {
namespace {

template <floating_format Float>
std::vector<bits_of<Float>> elements_of(const std::vector<std::byte>& bytes) {
  std::vector<bits_of<Float>> bits(bytes.size() / sizeof(bits_of<Float>));
  std::memcpy(bits.data(), bytes.data(), bytes.size());
  return bits;
}

template <floating_format Float>
class gathered_rows : public table_rows {
 public:
  gathered_rows(const learned_weights& weights, const input::position_list& positions)
      : table_rows(positions.size(), weights.config.d_model, sizeof(bits_of<Float>)),
        elements_(elements_of<Float>(weights.bytes)),
        table_(weights.config, elements_),
        positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t i = first; i < first + count; ++i, out += row_bytes())
      std::memcpy(out, table_.row(positions_.at(i)).data(), row_bytes());
  }

 private:
  std::vector<bits_of<Float>> elements_;
  learned_table<Float> table_;
  input::position_list positions_;
};

table_description description_of(const learned_weights& weights, const input::position_list& positions) {
  table_description about = described(table_kind::learned);
  about.rounding = "none: the weights are copied bit for bit";
  about.stored = {weights.dtype, weights.place};
  about.shape = {positions.size(), weights.config.d_model};
  about.rows = positions.size();
  about.columns = weights.config.d_model;
  about.rows_per_piece = rows_per_piece(about.columns, positions);
  return about;
}

class learned_numbers : public table {
 public:
  learned_numbers(learned_weights weights, input::position_list positions)
      : table(description_of(weights, positions)),
        weights_(std::move(weights)),
        positions_(std::move(positions)) {}

  coordinates row_at(std::int64_t row) const override { return {{"position", positions_.text_at(row)}}; }

  std::string column_name(std::int64_t column) const override { return "channel_" + std::to_string(column); }

  coordinates entry_at(std::int64_t row, std::int64_t column) const override {
    return {{"position", positions_.text_at(row)}, {"channel", std::to_string(column)}};
  }

  void put(input::json& record) const override {
    record["positions"] = positions_.text();
    record["encoding"] = {{"name", "learned"},
                          {"max_position_embeddings", weights_.config.max_position_embeddings},
                          {"d_model", weights_.config.d_model},
                          {"weights", weights_.place},
                          {"first_row", weights_.first_row}};
  }

  std::unique_ptr<table_rows> make_rows(table_dtype dtype) const override {
    return in_format(dtype, [&]<class Float>() -> std::unique_ptr<table_rows> {
      return std::make_unique<gathered_rows<Float>>(weights_, positions_);
    });
  }

  std::vector<std::string> row_of_digits(std::int64_t /*row*/, int digits) const override {
    throw bad_input("digits", std::to_string(digits), "none for learned: its weights are copied");
  }

 private:
  learned_weights weights_;
  input::position_list positions_;
};

/// The dtype of weights of NumPy's type: u16 is the one that NumPy lacks.
table_dtype dtype_of_weights(npy_dtype array) {
  table_dtype dtype{};
  for (const table_dtype_text& text : table_dtypes)
    if (text.array == array) dtype = text.dtype;
  return dtype;
}

}  // namespace

learned_weights weights_from(const std::string& text, std::int64_t first_row) {
  std::vector<npy_dtype> dtypes;
  for_each_format([&]<class Float>() { dtypes.push_back(table_dtypes[index_of<Float, all_formats>].array); });
  input::whole_array array = input::read_array("weights", text, dtypes);
  const std::vector<std::int64_t>& shape = array.header.shape;
  const auto is_within = [&](std::size_t axis, std::int64_t most) {
    return shape[axis] >= 1 && shape[axis] <= most;
  };
  if (shape.size() != 2 || !is_within(0, largest_position + 1) || !is_within(1, largest_d_model))
    throw bad_input(
        "weights", text + " (shape " + shape_text(shape) + ")",
        "shape (max_position_embeddings, d_model), d_model at most " + std::to_string(largest_d_model));
  if (first_row >= shape[0])
    throw bad_input("first-row", std::to_string(first_row),
                    "a row of the weights, below " + std::to_string(shape[0]));
  const std::size_t row_bytes = array.bytes.size() / static_cast<std::size_t>(shape[0]);
  array.bytes.erase(array.bytes.begin(),
                    array.bytes.begin() + static_cast<std::ptrdiff_t>(row_bytes) * first_row);
  return {.place = text,
          .dtype = dtype_of_weights(array.header.dtype),
          .config = {shape[0] - first_row, static_cast<int>(shape[1])},
          .first_row = first_row,
          .bytes = std::move(array.bytes)};
}

std::unique_ptr<table> learned_table_of(learned_weights weights, input::position_list positions) {
  const std::int64_t count = weights.config.max_position_embeddings;
  refuse_positions_beyond(positions, count, "as the weights have " + std::to_string(count) + " rows");
  return std::make_unique<learned_numbers>(std::move(weights), std::move(positions));
}

}  // namespace ropewalk::tables
