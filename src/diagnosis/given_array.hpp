#pragma once
// An array that somebody else made, read row by row as numbers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "export/array_layout.hpp"
#include "export/row_positions.hpp"

namespace ropewalk::diagnosis {

/// An array, and how to read it. The number of pairs is the array's own, which may not be the model's. For
/// alibi-slopes it is that of heads, for t5-buckets that of relative positions; sinusoids are cosines and
/// sines (sinusoidal_array in addition_tables.hpp).
struct given_array {
  tables::array_layout layout{};
  tables::table_dtype dtype{};
  int pairs = 0;
  tables::row_positions positions{};  // of kinds with positions
  std::function<void(std::int64_t row, std::byte* out)> read{};
  std::vector<std::int64_t> places{};  // position rows that must be looked at, as the first wrong one
};

/// The array's rows and columns.
inline tables::array_grid grid_of(const given_array& array) {
  return {array.layout, array.pairs, array.positions.rows()};
}

/// Entries of an array as binary64 numbers. It keeps the rows of the place that was read last.
class array_reader {
 public:
  explicit array_reader(const given_array& array) : array_(&array), grid_(grid_of(array)) {}

  const given_array& array() const { return *array_; }
  const tables::array_grid& grid() const { return grid_; }

  /// Number of position rows; of pairs, for kinds without positions.
  std::int64_t places() const {
    return has_positions(array_->layout) ? array_->positions.rows() : std::int64_t{array_->pairs};
  }

  /// Rows of the array that hold a place: two where cosines and sines are planes.
  int rows_of_a_place() const { return grid_.has_planes() ? 2 : 1; }

  /// The numbers of a place, [rows_of_a_place()][columns]; infinities and NaNs as they are.
  const std::vector<double>& at(std::int64_t place);

 private:
  const given_array* array_;
  tables::array_grid grid_;
  std::int64_t kept_ = -1;
  std::vector<double> numbers_;
  std::vector<std::byte> bytes_;
};

}  // namespace ropewalk::diagnosis
