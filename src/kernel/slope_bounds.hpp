#pragma once
// Bounds of a slope. Their products with distances decide the rounding of ALiBi's entries.

#include "kernel/bias_budget.hpp"
#include "kernel/simd/simd.hpp"

namespace ropewalk {

/// Bounds of a slope from its nearest binary64.
inline simd::slope_bounds bounds_of_slope(double nearest, bool is_power_of_two) {
  const double spread = is_power_of_two ? 0 : bias_budget::relative_error;
  const double short_spread = is_power_of_two ? 0 : nearest * bias_budget::short_relative_error;
  simd::slope_bounds bounds{.low = nearest * (1 - spread), .high = nearest * (1 + spread)};
  bounds.is_short =
      nearest >= bias_budget::smallest_short_slope && nearest <= bias_budget::largest_short_slope;
  if (!bounds.is_short) return bounds;
  bounds.nearest = static_cast<float>(nearest);
  const double rest = nearest - static_cast<double>(bounds.nearest);  // exact
  bounds.low_rest = static_cast<float>(rest - short_spread);
  bounds.high_rest = static_cast<float>(rest + short_spread);
  return bounds;
}

}  // namespace ropewalk
