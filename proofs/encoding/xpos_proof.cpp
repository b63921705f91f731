// xPos: its bases, its norm, and a score that depends on the distance alone and falls geometrically with it.

#include "ropewalk/encoding/xpos.hpp"

#include "ropewalk/table/xpos_rows.hpp"

namespace xpos_proof {

using namespace ropewalk;

constexpr int limb_count = 3;
using real = enclosure<limb_count>;

constexpr xpos config{.rotary_dim = 64, .length = 2048};

/// Two numbers agree if the difference of their enclosures stays below this.
constexpr radius narrow{std::uint32_t{1} << 31, -121};  // 2^-90

constexpr bool agree(const real& x, const real& y) { return magnitude_above(x - y) < narrow; }

/// The bases rise strictly from 0.4 / 1.4 = 2/7 and stay below 1.
consteval bool bases_rise_from_two_sevenths_and_stay_below_one() {
  if (!(xpos_base(0, config) == rational<1>::of(2) / rational<1>::of(7))) return false;
  for (int pair = 1; pair < 32; ++pair)
    if (compare(xpos_base(pair, config), xpos_base(pair - 1, config)) <= 0) return false;
  return compare(xpos_base(31, config), rational<1>::of(1)) < 0 &&
         xpos_base(4, config) == rational<1>::of(3) / rational<1>::of(8);
}
static_assert(bases_rise_from_two_sevenths_and_stay_below_one());

/// c^2 + s^2 = z^(2 exponent); a query's scale times a key's at the same position is 1.
consteval bool pair_has_the_norm_of_its_scale(int pair, std::int64_t position) {
  const real scale = xpos_scale<limb_count>(pair, position, xpos_side::query, config);
  const auto block = xpos_block<limb_count>(pair, position, xpos_side::query, config);
  const real other = xpos_scale<limb_count>(pair, position, xpos_side::key, config);
  return agree(block.cos * block.cos + block.sin * block.sin, scale * scale) &&
         agree(scale * other, real::of(1));
}
static_assert(pair_has_the_norm_of_its_scale(0, 0));
static_assert(pair_has_the_norm_of_its_scale(9, 2047));
static_assert(pair_has_the_norm_of_its_scale(31, -300));

/// R_q(m)^T R_k(n) depends on m - n alone, not on the length, whose middle is the origin of exponents.
consteval bool score_depends_on_the_distance_alone(int pair, std::int64_t count, std::int64_t n,
                                                   std::int64_t shift) {
  xpos longer = config;
  longer.length = 4097;
  const auto product = [pair](std::int64_t query_at, std::int64_t key_at, const xpos& xpos_config) {
    const auto q = xpos_block<limb_count>(pair, query_at, xpos_side::query, xpos_config);
    const auto k = xpos_block<limb_count>(pair, key_at, xpos_side::key, xpos_config);
    return q.cos * k.cos + q.sin * k.sin;
  };
  const real here = product(count, n, config);
  return agree(here, product(count + shift, n + shift, config)) && agree(here, product(count, n, longer));
}
static_assert(score_depends_on_the_distance_alone(0, 900, 300, 1000));
static_assert(score_depends_on_the_distance_alone(17, 40, 39, -40));

/// The largest score of a pair falls with the distance of the key behind: z^((m - n) / scale_base) < 1.
consteval bool largest_score_of_a_pair_falls_with_the_distance() {
  const xpos centred{.rotary_dim = 64};
  real before = real::of(1);
  for (std::int64_t distance = 1; distance <= 2048; distance *= 2) {
    const real here = xpos_scale<limb_count>(31, distance, xpos_side::query, centred);
    if (compare(here, before) != order::less) return false;
    before = here;
  }
  return true;
}
static_assert(largest_score_of_a_pair_falls_with_the_distance());

/// (3/8)^7 has 12 bits and is a rounding midpoint of binary16: ties exist at position 0, and go to even.
consteval bool ties_at_position_zero_go_to_even() {
  const xpos tie{.rotary_dim = 64, .length = 7168};  // -3584 / 512 = -7
  const std::uint32_t cos = round_xpos_entry<binary16>(4, 0, xpos_side::key, tie).cos;
  // 2187 2^-21 = 1.0678... 2^-10 is 1093.5 ulps, which rounds to the even 1094.
  return cos == (std::uint32_t{5} << 10 | (1094 - 1024));
}
static_assert(ties_at_position_zero_go_to_even());

}  // namespace xpos_proof
