#pragma once
// Correctly rounded rows of cosines and sines at positions in binary64. Each axis has its own row, with only
// the pairs on that axis.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/fast_rows.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk {

/// Rows of one plan on one target. Holds pointers to the plan and its other rows; several threads may request
/// rows at once.
class real_rows {
 public:
  real_rows(const rotation_plan& plan, const fast_rows& rows);
  ~real_rows();
  real_rows(const real_rows&) = delete;
  real_rows& operator=(const real_rows&) = delete;

  /// The pairs on an axis, in ascending order.
  ///
  /// domain  0 <= axis < axes of the plan
  const std::vector<int>& pairs_of(int axis) const { return axes_[static_cast<std::size_t>(axis)].pairs; }

  /// The axes that have pairs.
  const std::vector<int>& turning_axes() const { return turning_axes_; }

  /// The row of one axis at a position on it, correctly rounded; an exact 0 is +0. Returns how many entries
  /// exact arithmetic decided.
  ///
  /// shape   cos, sin [simd::padded(n)] and undecided [n], scratch, for the n pairs of pairs_of(axis)
  /// domain  |position| < 2^31
  /// throws  undecided at the cap of Ziv's loop
  int row(int axis, double position, bool unit, float* cos, float* sin, std::uint16_t* undecided) const;
  /// The same in binary64, by exact arithmetic only.
  int row(int axis, double position, bool unit, double* cos, double* sin, std::uint16_t* undecided) const;

  /// The inputs of the vector functions for a row of one axis.
  struct source {
    simd::real_row_source turns{};
    simd::real_magnitude magnitude{};
  };
  /// The source of a row.
  ///
  /// domain  0 < |position| < 2^31
  source source_of(int axis, double position, bool unit) const;

  const fast_rows& whole_rows() const { return *rows_; }
  /// Whether the phases of some rotating pair are exact.
  bool has_exact_turns() const { return has_exact_turns_; }

 private:
  // Positions whose last bits are in one group of exponents share the turns of their pairs.
  static constexpr int log2_exponents = 3;
  static constexpr int exponent_groups = 133;

  /// The turns of an axis's pairs for one group of exponents.
  using turns_of_group = std::vector<simd::real_turn_block>;
  /// Computed when a position first needs them: the positions of a call have few exponents.
  using known_turns = std::atomic<const turns_of_group*>;

  struct rows_of_axis {
    std::vector<int> pairs;
    std::unique_ptr<known_turns[]> turns;  // [exponent_groups]; null for an axis without pairs
  };

  const turns_of_group& turns_of(int axis, int group) const;
  int try_row(int axis, double position, bool unit, float* cos, float* sin, std::uint16_t* undecided) const;
  template <class Float>
  void decide_exactly(int axis, double position, bool unit, std::size_t index, Float* cos, Float* sin) const;

  const rotation_plan* plan_;
  const fast_rows* rows_;
  std::vector<rows_of_axis> axes_;
  std::vector<int> turning_axes_;
  bool has_exact_turns_ = false;
};

}  // namespace ropewalk
