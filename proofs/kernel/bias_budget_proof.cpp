// The rounding test of ALiBi's entries never decides wrongly: the spread that it applies covers the error of
// the computed entry.
//
// With u = 2^-53, s the slope, r an integer below 2^53, v the product as computed: v = s (1 + d1) r (1 + d2)
// with |d1|, |d2| <= u, so that |s r - v| <= ((1 - u)^-2 - 1) |v| <= (2 u + 4 u^2) |v|. The test rounds v - e
// and v + e, e = 4 u |v| exactly, in binary64: the error of each sum is at most u (1 + 4 u) |v|. Nothing
// underflows: a plan takes slopes from 2^-101 to 2^100.

#include "kernel/bias_budget.hpp"

namespace ropewalk {
namespace {

constexpr double u = 0x1p-53;

// Small integers, in units of u |v|, or of u^2 |v| where the name ends in _rest.
constexpr int spread = static_cast<int>(bias_budget::relative_error / u);
constexpr int off = 2, off_rest = 4;               // error of the product
constexpr int sum_off = 1, sum_off_rest = spread;  // error of v - e and of v + e

consteval bool spread_covers_slope_product_and_sum() {
  const long long one_over_u = 1LL << 53;
  return (spread - sum_off - off) * one_over_u >= sum_off_rest + off_rest;
}
static_assert(bias_budget::relative_error == spread * u);
static_assert(spread_covers_slope_product_and_sum());

/// No smaller power of two would do.
consteval bool half_the_spread_does_not_cover_them() {
  const long long one_over_u = 1LL << 53;
  return (spread / 2 - sum_off - off) * one_over_u < sum_off_rest + off_rest;
}
static_assert(half_the_spread_does_not_cover_them());

}  // namespace
}  // namespace ropewalk
