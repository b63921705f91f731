#pragma once
// ALiBi by MPFR, as its authors' program lists the slopes: both ends of every operation rounded outward, so
// that a number of few bits is met exactly, ties included.

#include <cstdint>

#include "oracle/mpfr_number.hpp"
#include "oracle/rope_oracle.hpp"

namespace ropewalk::oracle {

namespace detail {

/// Operation(result, rounding) done downward for the lower end and upward for the upper one.
template <class Operation>
bracket outward(mpfr_prec_t bits, const Operation& operation) {
  bracket r{mpfr_number(bits), mpfr_number(bits)};
  operation(r.low, MPFR_RNDD);
  operation(r.high, MPFR_RNDU);
  return r;
}

/// The first of `heads` slopes, 2^(-8 / heads): the square root is taken where the number of heads doubles.
inline bracket first_slope(int heads, mpfr_prec_t bits) {
  bracket slope{mpfr_number(bits, 0x1p-8), mpfr_number(bits, 0x1p-8)};
  for (; heads > 1; heads /= 2) {
    mpfr_sqrt(slope.low, slope.low, MPFR_RNDD);
    mpfr_sqrt(slope.high, slope.high, MPFR_RNDU);
  }
  return slope;
}

}  // namespace detail

/// Slope of one head of `heads`: powers of the first one, and every second slope of twice the heads where
/// there is no power of two.
inline bracket alibi_slope_bracket(int head, int heads, mpfr_prec_t bits) {
  int closest = 1;
  while (2 * closest <= heads) closest *= 2;
  if (head >= closest) return alibi_slope_bracket(2 * (head - closest), 2 * closest, bits);
  int power = head + 1;
  for (; power % 2 == 0 && closest % 2 == 0; power /= 2)
    closest /= 2;  // fewer heads have that slope too, and where it is exact no root is taken
  const bracket first = detail::first_slope(closest, bits);
  return detail::outward(bits, [&](mpfr_ptr r, mpfr_rnd_t rounding) {
    mpfr_pow_ui(r, rounding == MPFR_RNDD ? first.low : first.high, static_cast<unsigned long>(power),
                rounding);
  });
}

/// slope x steps, the sign of `steps` included.
inline bracket alibi_bias_bracket(int head, int heads, std::int64_t steps, mpfr_prec_t bits) {
  const bracket slope = alibi_slope_bracket(head, heads, bits);
  return detail::outward(bits, [&](mpfr_ptr r, mpfr_rnd_t rounding) {
    const bool lower_end = (rounding == MPFR_RNDD) == (steps >= 0);
    mpfr_mul_si(r, lower_end ? slope.low : slope.high, steps, rounding);
    if (steps == 0) mpfr_set_zero(r, 1);
  });
}

inline four_roundings alibi_bias_in_all_formats(int head, int heads, std::int64_t steps) {
  return rounded_to_all([&](mpfr_prec_t bits) { return alibi_bias_bracket(head, heads, steps, bits); }, 256);
}

}  // namespace ropewalk::oracle
