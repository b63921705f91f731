#pragma once
// Rows of cosines and sines, correctly rounded: vectors where the rounding test decides, exact arithmetic for the rare
// entry where it does not.

#include <cstdint>
#include <vector>

#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// What a plan's rows are computed from on one target. Keeps pointers to both.
class fast_rows {
 public:
  fast_rows(const rotation_plan& plan, const simd::target& target);

  /// The row of one position, correctly rounded; sin 0 is +0.
  ///
  /// shape   cos, sin [simd::padded(pairs)]; undecided [pairs], scratch
  /// domain  any signed 32-bit position
  /// throws  undecided at the cap of Ziv's loop
  void row(std::int64_t position, bool unit, float* cos, float* sin, std::uint16_t* undecided) const;
  /// The same in binary64, by exact arithmetic alone.
  void row(std::int64_t position, bool unit, double* cos, double* sin, std::uint16_t* undecided) const;

  /// Consecutive rows.
  ///
  /// shape   cos, sin [positions, pairs]
  void rows(position_range positions, bool unit, float* cos, float* sin) const;
  void rows(position_range positions, bool unit, double* cos, double* sin) const;

 private:
  const rotation_plan* plan_;
  const simd::target* target_;
  std::vector<simd::turn_block> blocks_;
  std::vector<float> still_cos_[2];  // at position 0: the factor, correctly rounded; with it and without
  double factor_;
  bool factor_fits_;
};

}  // namespace ropewalk
