#pragma once
// An array from another program, read row by row as numbers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "export/array_layout.hpp"
#include "export/row_positions.hpp"

namespace ropewalk::diagnosis {

/// An array, and how to read it. The number of pairs is that of the array, which may differ from the model's.
/// For alibi-slopes it is the number of heads, for t5-buckets the number of relative positions. Sinusoids are
/// read as cosines and sines (sinusoidal_array in addition_tables.hpp).
struct given_array {
  tables::array_layout layout{};
  tables::table_dtype dtype{};
  int pairs = 0;
  tables::row_positions positions{};  // for kinds with positions
  std::function<void(std::int64_t row, std::byte* out)> read{};
  std::vector<std::int64_t> places{};  // position rows to inspect in any case, such as the first wrong one
};

/// The array's rows and columns.
inline tables::array_grid grid_of(const given_array& array) {
  return {array.layout, array.pairs, array.positions.rows()};
}

/// Entries of an array as binary64 numbers. Caches the rows of the last place read.
class array_reader {
 public:
  explicit array_reader(const given_array& array) : array_(&array), grid_(grid_of(array)) {}

  const given_array& array() const { return *array_; }
  const tables::array_grid& grid() const { return grid_; }

  /// Number of position rows; for kinds without positions, number of pairs.
  std::int64_t places() const {
    return has_positions(array_->layout) ? array_->positions.rows() : std::int64_t{array_->pairs};
  }

  /// Rows of the array per place: two if cosines and sines are planes.
  int rows_of_a_place() const { return grid_.has_planes() ? 2 : 1; }

  /// The numbers of a place, [rows_of_a_place()][columns], including infinities and NaNs.
  const std::vector<double>& at(std::int64_t place);

 private:
  const given_array* array_;
  tables::array_grid grid_;
  std::int64_t kept_ = -1;
  std::vector<double> numbers_;
  std::vector<std::byte> bytes_;
};

}  // namespace ropewalk::diagnosis
