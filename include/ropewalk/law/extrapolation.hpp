#pragma once
// Extrapolation: accuracy with the same constant in each range of positions [2^k, 2^(k + 1)), both signs.

#include "ropewalk/law/accuracy.hpp"

namespace ropewalk {

inline constexpr int position_ranges = 31;            // k = 0 .. 30: every position but 0 and -2^31
inline constexpr int rotations_in_each_range = 1000;  // pairs turned, at least

/// Accuracy of a case whose positions lie in one range.
///
/// domain  0 <= range < position_ranges
template <floating_format Float>
measurement measure_extrapolation(const held_kernel& kernel, const law_case& given) {
  return measure_accuracy<Float>(kernel, given);
}

}  // namespace ropewalk
