#pragma once
// Enclosures as MPFR brackets, for tests that an enclosure contains its number.

#include <gtest/gtest.h>

#include "oracle/mpfr_number.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::oracle {

/// The midpoint, exact in 64 N bits.
template <int N>
mpfr_number midpoint_of(const enclosure<N>& x) {
  mpfr_number result(64 * N);
  mpz_t significand;
  mpz_init(significand);
  mpz_import(significand, N, -1, sizeof(std::uint64_t), 0, 0, x.midpoint.significand.word);
  mpfr_set_z_2exp(result, significand, is_zero(x.midpoint) ? 0 : x.midpoint.exponent, MPFR_RNDN);
  mpz_clear(significand);
  if (x.midpoint.negative) mpfr_neg(result, result, MPFR_RNDN);
  return result;
}

inline mpfr_number radius_of(const radius& error) {
  mpfr_number result(64);
  mpfr_set_ui_2exp(result, error.significand, error.exponent, MPFR_RNDN);
  return result;
}

/// The ends of an enclosure, rounded outward.
template <int N>
bracket bracket_of(const enclosure<N>& x) {
  const mpfr_number middle = midpoint_of(x), error = radius_of(x.error);
  bracket result{mpfr_number(64 * N + 64), mpfr_number(64 * N + 64)};
  mpfr_sub(result.low, middle, error, MPFR_RNDD);
  mpfr_add(result.high, middle, error, MPFR_RNDU);
  return result;
}

/// Whether the enclosure may contain the number that `truth` brackets: whether the two overlap. The caller
/// must give a bracket much narrower than the enclosure, or wrong enclosures can pass.
template <int N>
testing::AssertionResult contains(const enclosure<N>& x, const bracket& truth) {
  const bracket ends = bracket_of(x);
  if (mpfr_lessequal_p(ends.low, truth.high) && mpfr_lessequal_p(truth.low, ends.high))
    return testing::AssertionSuccess();
  char text[512];
  mpfr_snprintf(text, sizeof text, "[%.40Rg, %.40Rg] misses [%.40Rg, %.40Rg]",
                static_cast<mpfr_srcptr>(ends.low), static_cast<mpfr_srcptr>(ends.high),
                static_cast<mpfr_srcptr>(truth.low), static_cast<mpfr_srcptr>(truth.high));
  return testing::AssertionFailure() << text;
}

/// Upper bound of log2(error / |midpoint|); its negative is the number of correct bits.
///
/// domain  midpoint != 0, error != 0
template <int N>
int relative_error_exponent(const enclosure<N>& x) {
  return x.error.exponent + 32 - (top_exponent(x.midpoint) - 1);
}

}  // namespace ropewalk::oracle
