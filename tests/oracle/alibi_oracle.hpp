#pragma once
// ALiBi by MPFR, with the slopes in the order of its authors' program. Both ends of every operation are
// rounded outward, so a number of few bits is exact, and a rounding tie is decided.

#include <cstdint>

#include "oracle/mpfr_number.hpp"
#include "oracle/rope_oracle.hpp"

namespace ropewalk::oracle {

namespace detail {

/// operation(result, rounding), rounded down for the lower end and up for the upper end.
template <class Operation>
bracket outward(mpfr_prec_t bits, const Operation& operation) {
  bracket result{mpfr_number(bits), mpfr_number(bits)};
  operation(result.low, MPFR_RNDD);
  operation(result.high, MPFR_RNDU);
  return result;
}

/// The first of `heads` slopes, 2^(-8 / heads): one square root per doubling of the number of heads.
///
/// domain  heads is a power of two
inline bracket first_slope(int heads, mpfr_prec_t bits) {
  bracket slope{mpfr_number(bits, 0x1p-8), mpfr_number(bits, 0x1p-8)};
  for (; heads > 1; heads /= 2) {
    mpfr_sqrt(slope.low, slope.low, MPFR_RNDD);
    mpfr_sqrt(slope.high, slope.high, MPFR_RNDU);
  }
  return slope;
}

}  // namespace detail

/// Slope of one head of `heads`: a power of the first slope. Heads from the largest power of two on take
/// every second slope of twice as many heads.
inline bracket alibi_slope_bracket(int head, int heads, mpfr_prec_t bits) {
  int closest = 1;
  while (2 * closest <= heads) closest *= 2;
  if (head >= closest) return alibi_slope_bracket(2 * (head - closest), 2 * closest, bits);
  // Half as many heads have the same slope, as half the power. Where the slope is exact, no root is taken.
  int power = head + 1;
  for (; power % 2 == 0 && closest % 2 == 0; power /= 2) closest /= 2;
  const bracket first = detail::first_slope(closest, bits);
  return detail::outward(bits, [&](mpfr_ptr result, mpfr_rnd_t rounding) {
    mpfr_pow_ui(result, rounding == MPFR_RNDD ? first.low : first.high, static_cast<unsigned long>(power),
                rounding);
  });
}

/// slope x steps; `steps` may be negative.
inline bracket alibi_bias_bracket(int head, int heads, std::int64_t steps, mpfr_prec_t bits) {
  const bracket slope = alibi_slope_bracket(head, heads, bits);
  return detail::outward(bits, [&](mpfr_ptr result, mpfr_rnd_t rounding) {
    const bool lower_end = (rounding == MPFR_RNDD) == (steps >= 0);
    mpfr_mul_si(result, lower_end ? slope.low : slope.high, steps, rounding);
    if (steps == 0) mpfr_set_zero(result, 1);
  });
}

inline four_roundings alibi_bias_in_all_formats(int head, int heads, std::int64_t steps) {
  return rounded_to_all([&](mpfr_prec_t bits) { return alibi_bias_bracket(head, heads, steps, bits); }, 256);
}

}  // namespace ropewalk::oracle
