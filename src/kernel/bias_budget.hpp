#pragma once
// Error budgets of slope x distance, computed in binary64 and by fused products in binary32:
// proofs/kernel/bias_budget_proof.cpp.

#include <cstdint>

namespace ropewalk::bias_budget {

/// Spread of a slope's bounds in binary64, relative to its nearest binary64: 4 u with u = 2^-53. It covers
/// the rounding of the slope, of the bound and of its product with an integer.
inline constexpr double relative_error = 0x1p-51;

/// Spread of its bounds as sums of two binary32: 4 v^2 with v = 2^-24. It covers the rounding of the slope,
/// of the lower term of the bound, and of that term's product with an integer.
inline constexpr double short_relative_error = 0x1p-46;
/// Integers that binary32 holds exactly, and slopes whose products with them are far from the ends of its
/// range.
inline constexpr std::int64_t largest_short_reach = std::int64_t{1} << 24;
inline constexpr double smallest_short_slope = 0x1p-60;
inline constexpr double largest_short_slope = 0x1p60;

}  // namespace ropewalk::bias_budget
