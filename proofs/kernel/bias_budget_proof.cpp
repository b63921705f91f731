// The rounding test of ALiBi's entries never decides wrongly: the bounds that it rounds hold the exact entry.
//
// In binary64, with u = 2^-53, s the binary64 nearest to the slope and r > 0 an integer below 2^53: the exact
// entry is s (1 + d) r with |d| <= u. The lower bound of the slope is s (1 - k u), rounded, and the entry's
// is its product with r, rounded: together at most s r (1 - k u) (1 + u)^2. The upper one is at least
// s r (1 + k u) (1 - u)^2.
//
// In binary32, with v = 2^-24: h is s rounded to binary32 and t = s - h, exact in binary64, |t| <= v s. The
// lower bound of the slope is h + l, l = t - m v^2 s rounded to binary64 and then to binary32: off by at most
// (2 u + v (1 + 2 u)) (v + m v^2) s. The entry's is r h + (r l, rounded), rounded once; r <= 2^24 is exact,
// and rounding r l moves it by at most v r |l|. As rounding is monotonic, the bound is rounded from a number
// that is at most the exact entry if m v^2 s is at least the sum of these errors and u s. The upper bound
// mirrors the lower, and negative r mirror positive ones. The rounding of a subnormal l or r l moves it by at
// most 2^-150: 2^-90 s at the smallest slope. Entries neither overflow nor become subnormal in binary32
// there, and in binary64 nowhere: a plan takes slopes from 2^-101 to 2^100, and reaches are below 2^33.
//
// A power of two has s = h exactly, spreads of 0, and products that are exact but for their one rounding.

#include "kernel/bias_budget.hpp"

namespace ropewalk {
namespace bias_budget_proof {

constexpr double u = 0x1p-53, v = 0x1p-24;
constexpr long long one_over_u = 1LL << 53, one_over_v = 1LL << 24;

// (1 - k u) (1 + u)^2 = 1 - (k - 2) u - (2 k - 1) u^2 - k u^3, and mirrored.
consteval bool is_enough(long long k) {
  return (k - 3) * one_over_u + (1 - 2 * k) >= 0;  // the upper bound, the harder one, above 1 + u
}

constexpr auto spread = static_cast<long long>(bias_budget::relative_error / u);
static_assert(bias_budget::relative_error == static_cast<double>(spread) * u);
static_assert(is_enough(spread));
/// No smaller power of two would do: (1 - 2 u) (1 + u)^2 is above 1 - u.
static_assert(!is_enough(spread / 2));

/// Whether m units of v^2 s cover the errors, in units of v^3 s: 2 v^2 for the leading terms of both
/// roundings to binary32; fewer than 4 m + 8 units of v^3 for the others, as u < v^2 / 16 and 2^-90 < v^3 /
/// 16.
consteval bool is_enough_in_binary32(long long m) {
  return (m - 2) * one_over_v >= one_over_v / 16 + 4 * m + 8;
}

constexpr auto short_spread = static_cast<long long>(bias_budget::short_relative_error / (v * v));
static_assert(bias_budget::short_relative_error == static_cast<double>(short_spread) * v * v);
static_assert(is_enough_in_binary32(short_spread));
static_assert(!is_enough_in_binary32(short_spread / 2));

/// Largest entry and smallest, with the room that their bounds need.
static_assert(static_cast<double>(bias_budget::largest_short_reach) == 1 / v);
static_assert(static_cast<double>(bias_budget::largest_short_reach) * bias_budget::largest_short_slope * 2 <
              0x1p127);
static_assert(bias_budget::smallest_short_slope / 2 > 0x1p-126);
static_assert(0x1p-150 / bias_budget::smallest_short_slope <= 0x1p-90);

}  // namespace bias_budget_proof
}  // namespace ropewalk
