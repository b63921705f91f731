#pragma once
// MPFR numbers as the words of the C interface, and numbers near rounding midpoints.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "oracle/mpfr_number.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::test {

using oracle::mpfr_number;
inline constexpr mpfr_prec_t precision = 700;

class integer {
 public:
  /// The integer nearest to `of`.
  explicit integer(const mpfr_number& result) {
    mpz_init(value_);
    mpfr_get_z(value_, result, MPFR_RNDN);
  }
  ~integer() { mpz_clear(value_); }
  integer(const integer&) = delete;
  integer& operator=(const integer&) = delete;

  /// Writes the low `count` 32-bit words, lowest first.
  void write(std::uint32_t* words, std::size_t count) const {
    std::fill_n(words, count, 0u);
    mpz_t rest;
    mpz_init_set(rest, value_);
    mpz_fdiv_r_2exp(rest, rest, 32 * count);
    mpz_export(words, nullptr, -1, sizeof words[0], 0, 0, rest);
    mpz_clear(rest);
  }

 private:
  mpz_t value_;
};

/// The words of a number modulo 1, rounded to `count` of them, lowest first.
inline std::vector<std::uint32_t> fraction_words(const mpfr_number& fraction, std::size_t count) {
  mpfr_number scaled(precision);
  mpfr_mul_2ui(scaled, fraction, 32 * count, MPFR_RNDN);
  std::vector<std::uint32_t> words(count);
  integer(scaled).write(words.data(), count);
  return words;
}

/// A positive number rounded to 256 significant bits.
inline ropewalk_real real_of(const mpfr_number& value) {
  ropewalk_real real{};
  real.exponent = static_cast<std::int32_t>(mpfr_get_exp(value)) - 256;
  mpfr_number scaled(precision);
  mpfr_mul_2si(scaled, value, -real.exponent, MPFR_RNDN);
  integer(scaled).write(real.significand, 8);
  return real;
}

/// A number 2^-bits of itself away from a random rounding midpoint between 2^-(shift + 1) and 2^-shift.
inline mpfr_number near_middle(std::mt19937_64& random, int shift, int bits) {
  const std::uint64_t odd = 2 * ((std::uint64_t{1} << 23) | (random() & 0x7fffff)) + 1;
  mpfr_number result(precision, static_cast<double>(odd)), beside(precision);
  mpfr_mul_2si(result, result, -25 - shift, MPFR_RNDN);
  mpfr_mul_2si(beside, result, -bits, MPFR_RNDN);
  (random() % 2 == 0 ? mpfr_add : mpfr_sub)(result, result, beside, MPFR_RNDN);
  return result;
}

}  // namespace ropewalk::test
