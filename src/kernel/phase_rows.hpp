#pragma once
// Rows of consecutive positions, each entry from its own phase: the independent check of rows from sums of
// angles. It shares no step and no seed with them.

#include <cstdint>

#include "kernel/fast_rows.hpp"

namespace ropewalk {

/// Rows of one plan on one target, attention factor included. Holds a pointer to the fast rows.
class phase_rows {
 public:
  static constexpr int most_rows = 32;

  explicit phase_rows(const fast_rows& rows) : rows_(&rows) {}

  int pairs() const { return rows_->pairs(); }
  int width() const { return simd::padded_to_blocks(pairs()); }

  /// Fills binary32 rows of consecutive positions. Rows are correctly rounded unless their bit in the result
  /// is set: they then have an entry v within |v| relative_reach + phase_error of a tie. If vector arithmetic
  /// cannot serve the plan, all bits are set.
  ///
  /// shape   cos, sin [positions, width()]
  /// domain  at most most_rows positions; relative_reach >= quarter_turn::relative_error
  std::uint32_t fill(position_range positions, double relative_reach, float* cos, float* sin) const;

  /// Marks rows that have an entry near a tie of a 16-bit format: simd::near_tie_function.
  ///
  /// shape   cos, sin [rows, columns], and memory up to padded(columns) in the last row
  std::uint32_t near_ties(const float* cos, const float* sin, int rows, std::size_t columns) const {
    return rows_->target().near_ties(cos, sin, rows, columns);
  }

  /// The binary64 values before rounding of one row, and a bound of the absolute part of their errors; |v|
  /// quarter_turn::relative_error is added to it.
  ///
  /// shape   cos, sin [padded(pairs)]
  void values(std::int64_t position, double* cos, double* sin) const;
  double phase_error(int pair) const;

  /// Rounds binary32 numbers to a 16-bit format, to nearest even; `to` receives its bits.
  ///
  /// shape   from, to [count], count a multiple of simd::block_pairs
  template <class Narrow>
  void narrow(const float* from, std::size_t count, std::uint16_t* to) const;

  /// Marks rows of a 16-bit format that differ from the result of `narrow`: simd::not_rounded_function.
  template <class Narrow>
  std::uint32_t not_rounded(const float* from, const std::uint16_t* to, int rows, std::size_t columns) const;

 private:
  const fast_rows* rows_;
};

}  // namespace ropewalk
