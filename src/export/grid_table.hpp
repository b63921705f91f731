#pragma once
// A table whose numbers an array_grid places, such as cosines and sines in the layouts of engines: its
// labels, its rows and its digits. Derived classes say which number stands at a place.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "export/array_layout.hpp"
#include "export/table.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::tables {

/// Description of a table of a grid's kind: its shape, its elements, and the layout in its convention.
table_description described(const array_grid& grid);

class grid_table : public table {
 public:
  grid_table(table_description about, const array_grid& grid, table_content content = {})
      : table(std::move(about), std::move(content)), grid_(grid) {}

  const array_grid& grid() const { return grid_; }

  coordinates row_at(std::int64_t row) const override;
  std::string column_name(std::int64_t column) const override { return grid_.column_name(column); }
  coordinates entry_at(std::int64_t row, std::int64_t column) const override;

  /// Orders rows by position: each plane begins again with the first position.
  std::int64_t order_of(std::int64_t row) const override { return grid_.at(row, 0).position_row; }

 protected:
  /// Adds the layout to the record, where there is a choice of layouts.
  void put_layout(input::json& record) const;

  /// The digits of a row of cosines and sines. A pair may occur twice: it is evaluated once.
  std::vector<std::string> cos_sin_digits(std::int64_t row, int digits) const;

 private:
  /// Coordinates of one row of the list of positions.
  virtual coordinates position_at(std::int64_t position_row) const = 0;

  /// Digits of one cosine or sine.
  virtual std::string digits_at(const array_place& place, int digits) const = 0;

  array_grid grid_;
};

/// The rows of cosines and sines of a grid, in one format. An Entry has the size of the format's bits.
template <floating_format Float, class Entry = bits_of<Float>>
class grid_rows : public table_rows {
 public:
  using entry = Entry;

  grid_rows(const array_grid& grid, std::int64_t positions)
      : table_rows(grid.rows(), grid.columns(), sizeof(entry)), grid_(grid), positions_(positions) {}

  void fill(std::int64_t first, std::int64_t count, std::byte* out) const override {
    for (std::int64_t done = 0; done < count;) {
      // Consecutive rows are consecutive positions of the list, up to the end of a plane.
      const std::int64_t position_row = grid_.at(first + done, 0).position_row;
      const std::int64_t part = std::min(count - done, positions_ - position_row);
      fill_part(first + done, position_row, part, out + static_cast<std::size_t>(done) * row_bytes());
      done += part;
    }
  }

 protected:
  std::size_t pairs() const { return static_cast<std::size_t>(grid_.pairs()); }

 private:
  /// Columns that hold the entries of consecutive pairs.
  struct column_run {
    bool is_sin = false;
    std::size_t pair = 0;
    std::size_t count = 0;
  };

  // Few enough rows to stay in a core's cache. A walk over binary64 rows begins with exact seeds, which many
  // rows must share.
  static constexpr std::int64_t rows_per_block = std::is_same_v<Float, double> ? 1024 : 64;

  /// Cosines and sines of `count` positions of the list from `first` on.
  ///
  /// shape   cos, sin [count, pairs]
  virtual void evaluate(std::int64_t first, std::int64_t count, entry* cos, entry* sin) const = 0;

  void fill_part(std::int64_t row, std::int64_t position_row, std::int64_t count, std::byte* out) const {
    const std::vector<column_run> runs = runs_of(row);
    std::vector<entry> cos(static_cast<std::size_t>(std::min(count, rows_per_block)) * pairs()),
        sin(cos.size());
    for (std::int64_t done = 0; done < count; done += rows_per_block) {
      const std::int64_t rows = std::min(count - done, rows_per_block);
      evaluate(position_row + done, rows, cos.data(), sin.data());
      for (std::size_t at = 0; at < static_cast<std::size_t>(rows) * pairs(); at += pairs())
        out = put_row(runs, cos.data() + at, sin.data() + at, out);
    }
  }

  std::vector<column_run> runs_of(std::int64_t row) const {
    std::vector<column_run> runs;
    for (std::int64_t column = 0; column < columns(); ++column) {
      const array_place place = grid_.at(row, column);
      const auto pair = static_cast<std::size_t>(place.pair);
      if (runs.empty() || runs.back().is_sin != place.is_sin || runs.back().pair + runs.back().count != pair)
        runs.push_back({place.is_sin, pair, 0});
      ++runs.back().count;
    }
    return runs;
  }

  static std::byte* put_row(const std::vector<column_run>& runs, const entry* cos, const entry* sin,
                            std::byte* out) {
    for (const column_run& run : runs) {
      const entry* const from = (run.is_sin ? sin : cos) + run.pair;
      if (run.count == 1)
        std::memcpy(out, from, sizeof(entry));
      else
        std::memcpy(out, from, run.count * sizeof(entry));
      out += run.count * sizeof(entry);
    }
    return out;
  }

  array_grid grid_;
  std::int64_t positions_;
};

}  // namespace ropewalk::tables
