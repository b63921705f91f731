// Rounding is exact at both ends of a format, sends ties to even, and leaves an enclosed tie undecided.

#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/rational.hpp"
#include "ropewalk/numeric/round.hpp"

namespace rounding_proof {

using namespace ropewalk;

/// The smallest subnormal and the largest power of two of binary64 round to themselves.
static_assert(round<double>(enclosure<4>::of(0x1p-1074)).bits == 1);
static_assert(round<double>(enclosure<4>::of(0x1p1023)).bits == to_bits(0x1p1023));

/// A rounding midpoint goes to the even neighbour, in every format, subnormals included.
template <floating_format Float>
consteval bool ties_go_to_even() {
  using traits = format<Float>;
  const auto at = [](std::uint64_t significand, int exponent) {
    return round_magnitude<Float>(false, limbs_of<2>(significand), exponent, false);
  };
  const std::uint64_t bits = std::uint64_t{1} << traits::precision;  // one more bit than the format has
  const int tiny = traits::smallest_ulp_exponent - 1;
  return at(bits + 1, 0) == at(bits, 0) && at(bits + 3, 0) == at(bits + 4, 0) && at(1, tiny) == 0 &&
         at(3, tiny) == 2 && at(5, tiny) == 2 && at(7, tiny) == 4;
}
static_assert(ties_go_to_even<double>() && ties_go_to_even<float>() && ties_go_to_even<binary16>() &&
              ties_go_to_even<bfloat16>());

/// Values below the overflow threshold round to the largest finite number, and the threshold rounds to
/// infinity.
template <floating_format Float>
consteval bool overflow_begins_half_an_ulp_above_the_largest() {
  using traits = format<Float>;
  // The largest number and half an ulp, in units of half an ulp.
  const limbs<2> threshold = limbs_of<2>((std::uint64_t{1} << (traits::precision + 1)) - 1);
  const int exponent = traits::largest_exponent - traits::precision;
  limbs<2> below = shift_left(threshold, 40);
  subtract_from(below, limbs_of<2>(1));
  return round_magnitude<Float>(false, threshold, exponent, false) == traits::infinity &&
         round_magnitude<Float>(false, below, exponent - 40, false) == traits::infinity - 1;
}
static_assert(overflow_begins_half_an_ulp_above_the_largest<double>() &&
              overflow_begins_half_an_ulp_above_the_largest<float>() &&
              overflow_begins_half_an_ulp_above_the_largest<binary16>() &&
              overflow_begins_half_an_ulp_above_the_largest<bfloat16>());

/// An enclosure around a tie is undecided, however narrow; the exact tie is decided.
consteval bool an_enclosed_tie_is_undecided() {
  enclosure<4> tie = enclosure<4>::of(1 + 0x1p-24);
  const bool exact_is_decided = round<float>(tie).decided && round<float>(tie).bits == to_bits(1.0f);
  tie.error = radius_at_least(1, -200);
  return exact_is_decided && !round<float>(tie).decided;
}
static_assert(an_enclosed_tie_is_undecided());

/// Rational numbers round exactly: binary16 has a spacing of 2 there, so 2049 and 2051 are ties and go to
/// 2048 and 2052.
static_assert(round<binary16>(rational<2>::of(2049)) == 0x6800 &&
              round<binary16>(rational<2>::of(2051)) == 0x6802);
static_assert(round<float>(rational<2>::of(1) / rational<2>::of(3)) == 0x3eaaaaab);

/// The first 128 bits of 2 / pi are those of fdlibm's table, which is a witness, not the source.
consteval bool two_over_pi_has_fdlibms_bits() {
  const enclosure<4> two_over_pi = times_power_of_two(inverse_two_pi<4>(), 2);
  return two_over_pi.midpoint.significand.word[3] == 0xa2f9836e4e441529 &&
         two_over_pi.midpoint.significand.word[2] == 0xfc2757d1f534ddc0 &&
         top_exponent(two_over_pi.midpoint) == 0;
}
static_assert(two_over_pi_has_fdlibms_bits());

}  // namespace rounding_proof
