#pragma once
// Row-major matrices of integers, floating-point numbers or enclosures. Meant for small examples, not models.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// A row-major matrix of zeros, or of given entries.
template <class Number>
class matrix {
 public:
  constexpr matrix() = default;

  /// throws  std::invalid_argument naming the field and its value
  constexpr matrix(int rows, int columns) : rows_(rows), columns_(columns) {
    require(rows >= 0, "rows", rows, "a number from 0 up");
    require(columns >= 0, "columns", columns, "a number from 0 up");
    entries_.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), Number{});
  }

  /// throws  std::invalid_argument where the entries do not fill the rows
  constexpr matrix(int rows, int columns, std::vector<Number> entries) : matrix(rows, columns) {
    require(entries.size() == entries_.size(), "entries", static_cast<double>(entries.size()),
            "rows x columns numbers");
    entries_ = std::move(entries);
  }

  /// Number of rows.
  constexpr int rows() const { return rows_; }
  /// Number of columns.
  constexpr int columns() const { return columns_; }

  /// throws  std::invalid_argument for a row or a column that the matrix lacks
  constexpr const Number& at(int row, int column) const { return entries_[index_of(row, column)]; }
  constexpr Number& at(int row, int column) { return entries_[index_of(row, column)]; }

  /// One row. throws  std::invalid_argument for a row that the matrix lacks
  constexpr std::span<const Number> row(int row) const {
    require(row >= 0 && row < rows_, "row", row, "a number from 0 to rows - 1");
    const auto width = static_cast<std::size_t>(columns_);
    return std::span<const Number>(entries_).subspan(static_cast<std::size_t>(row) * width, width);
  }

  friend constexpr bool operator==(const matrix&, const matrix&) = default;

 private:
  constexpr std::size_t index_of(int row, int column) const {
    require(row >= 0 && row < rows_, "row", row, "a number from 0 to rows - 1");
    require(column >= 0 && column < columns_, "column", column, "a number from 0 to columns - 1");
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  int rows_ = 0;
  int columns_ = 0;
  std::vector<Number> entries_;
};

/// Matrix whose entries are entry(row, column).
template <class Entry>
constexpr auto matrix_of(int rows, int columns, Entry entry) {
  matrix<decltype(entry(0, 0))> result(rows, columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) result.at(row, column) = entry(row, column);
  return result;
}

/// Dot product of two rows.
///
/// throws  std::invalid_argument where the two have different lengths
template <class Number>
constexpr Number dot(std::span<const Number> x, std::span<const Number> y) {
  require(x.size() == y.size(), "the second row's length", static_cast<double>(y.size()),
          "that of the first");
  Number sum{};
  for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
  return sum;
}

/// x y^T: the dot product of every row of x with every row of y.
///
/// throws  std::invalid_argument where the rows have different lengths
template <class Number>
constexpr matrix<Number> times_transposed(const matrix<Number>& x, const matrix<Number>& y) {
  return matrix_of(x.rows(), y.rows(), [&](int i, int j) { return dot(x.row(i), y.row(j)); });
}

/// x^T.
///
/// shape   [x.columns(), x.rows()]
template <class Number>
constexpr matrix<Number> transposed(const matrix<Number>& x) {
  return matrix_of(x.columns(), x.rows(), [&](int i, int j) { return x.at(j, i); });
}

/// Matrix product x y.
///
/// throws  std::invalid_argument unless x has as many columns as y has rows
template <class Number>
constexpr matrix<Number> operator*(const matrix<Number>& x, const matrix<Number>& y) {
  return times_transposed(x, transposed(y));
}

/// x + y, entry by entry.
///
/// throws  std::invalid_argument where the two have different sizes
template <class Number>
constexpr matrix<Number> operator+(const matrix<Number>& x, const matrix<Number>& y) {
  require(x.rows() == y.rows(), "the second matrix's rows", y.rows(), "those of the first");
  require(x.columns() == y.columns(), "the second matrix's columns", y.columns(), "those of the first");
  return matrix_of(x.rows(), x.columns(), [&](int i, int j) { return x.at(i, j) + y.at(i, j); });
}

}  // namespace ropewalk
