#pragma once
// Error budgets of slope x distance, computed in binary64 and by fused products in binary32:
// proofs/kernel/bias_budget_proof.cpp.

#include <cstdint>

namespace ropewalk::bias_budget {

/// Spread of a slope's bounds in binary64, relative to its nearest binary64: 4 u with u = 2^-53. It covers
/// the rounding of the slope, of the bound and of its product with an integer.
inline constexpr double relative_error = 0x1p-51;

/// The same for bounds that are sums of two binary32: 4 v^2 with v = 2^-24. It covers the rounding of the
/// slope, of the lower term of the bound, and of that term's product with an integer.
inline constexpr double short_relative_error = 0x1p-46;
/// Largest integer for which products in binary32 are used, and slopes far from the ends of binary32's range.
inline constexpr std::int64_t largest_short_reach = std::int64_t{1} << 24;
inline constexpr double smallest_short_slope = 0x1p-60;
inline constexpr double largest_short_slope = 0x1p60;

}  // namespace ropewalk::bias_budget
