#include "command/table_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernel/run_time_table.hpp"
#include "ropewalk/table/frequency_divisors.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk::command {
namespace {

/// A table that is small enough to be made whole: a row for each pair.
template <class Row>
class pair_rows : public table_rows {
 public:
  pair_rows(std::vector<Row> made, std::int64_t columns, std::size_t element_size)
      : table_rows(static_cast<std::int64_t>(made.size()), columns, element_size), made_(std::move(made)) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    std::memcpy(out, made_.data() + first, static_cast<std::size_t>(count) * row_bytes());
  }

 private:
  std::vector<Row> made_;
};

template <floating_format Float>
class cos_sin_rows : public table_rows {
 public:
  cos_sin_rows(const table_grid& grid, const rope& config, const position_list& positions)
      : table_rows(grid.rows(), grid.columns(), sizeof(bits_of<Float>)),
        grid_(grid),
        table_(config),
        positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t done = 0; done < count;) {
      // Rows of an array are rows of the list of positions in order, up to the end of a plane.
      const std::int64_t position_row = grid_.at(first + done, 0).position_row;
      const std::int64_t part = std::min(count - done, positions_.size() - position_row);
      fill_part(first + done, position_row, part, out + static_cast<std::size_t>(done) * row_bytes());
      done += part;
    }
  }

 private:
  using bits = std::vector<bits_of<Float>>;

  void fill_part(std::int64_t row, std::int64_t position_row, std::int64_t count, std::byte* out) const {
    const auto pairs = static_cast<std::size_t>(grid_.pairs());
    bits cos(static_cast<std::size_t>(count) * pairs), sin(cos.size());
    evaluate(position_row, count, cos, sin);
    std::vector<table_place> places;
    for (std::int64_t column = 0; column < columns(); ++column) places.push_back(grid_.at(row, column));
    for (std::size_t at = 0; at < cos.size(); at += pairs)
      for (const table_place& place : places) {
        const auto& entry = (place.is_sin ? sin : cos)[at + static_cast<std::size_t>(place.pair)];
        std::memcpy(out, &entry, sizeof entry);
        out += sizeof entry;
      }
  }

  void evaluate(std::int64_t first, std::int64_t count, bits& cos, bits& sin) const {
    if (!positions_.is_real() && !positions_.is_listed) {
      const position_range run{positions_.at(first), positions_.at(first) + count};
      add_decided(table_.template fill<Float>(run, cos.data(), sin.data()));
      return;
    }
    const auto pairs = static_cast<std::size_t>(grid_.pairs());
    for (std::int64_t i = 0; i < count; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * pairs;
      if (positions_.is_real())
        table_.exact().template row<Float>(positions_.real_at(first + i), false, cos.data() + at,
                                           sin.data() + at);
      else
        table_.exact().template row<Float>(positions_.at(first + i), false, cos.data() + at, sin.data() + at);
    }
  }

  table_grid grid_;
  run_time_table table_;
  position_list positions_;
};

template <floating_format Float>
std::unique_ptr<table_rows> make_rows(const table_grid& grid, const rope& config,
                                      const position_list& positions) {
  constexpr std::size_t size = sizeof(bits_of<Float>);
  switch (grid.form().kind) {
    case table_kind::inv_freq:
      return std::make_unique<pair_rows<bits_of<Float>>>(inv_freqs<Float>(config), 1, size);
    case table_kind::ggml_factors:
      return std::make_unique<pair_rows<bits_of<Float>>>(frequency_divisors<Float>(config), 1, size);
    default: return std::make_unique<cos_sin_rows<Float>>(grid, config, positions);
  }
}

}  // namespace

std::unique_ptr<table_rows> make_table_rows(const table_form& form, table_dtype dtype, const rope& config,
                                            const position_list& positions) {
  const table_grid grid(form, config, positions);
  switch (dtype) {
    case table_dtype::f64: return make_rows<double>(grid, config, positions);
    case table_dtype::f32: return make_rows<float>(grid, config, positions);
    case table_dtype::f16: return make_rows<binary16>(grid, config, positions);
    case table_dtype::bf16: return make_rows<bfloat16>(grid, config, positions);
    case table_dtype::u32: break;
  }
  return std::make_unique<pair_rows<turn_fraction<turn_words>>>(turn_fractions<turn_words>(config),
                                                                turn_words, sizeof(std::uint32_t));
}

}  // namespace ropewalk::command
