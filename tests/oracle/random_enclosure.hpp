#pragma once
// Random enclosures for tests of functions, and numbers that lie in them.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "oracle/enclosure_bracket.hpp"
#include "oracle/mpfr_number.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk::oracle {

/// Limb counts that typed tests run over: TYPED_TEST_SUITE(Suite, limb_counts).
template <int N>
struct limb_count {
  static constexpr int value = N;
};
using limb_counts = testing::Types<limb_count<2>, limb_count<3>, limb_count<4>, limb_count<6>, limb_count<8>,
                                   limb_count<12>, limb_count<16>, limb_count<24>>;

/// Range of a random number: 2^low_exponent <= |x| < 2^high_exponent, and whether it may be negative.
struct number_range {
  int low_exponent;
  int high_exponent;
  bool negative_too;
};

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }

  /// An exact number with a random top limb; the others are random, zero, or each all ones or zero.
  template <int N>
  enclosure<N> exact(const number_range& range) {
    enclosure<N> x;
    const std::uint64_t shape = below(3);
    for (std::uint64_t& word : x.midpoint.significand.word)
      word = shape == 0 ? engine_() : (shape == 1 || below(2) != 0 ? 0 : ~std::uint64_t{0});
    x.midpoint.significand.word[N - 1] = engine_() | std::uint64_t{1} << 63;
    x.midpoint.negative = range.negative_too && below(2) != 0;
    const auto exponents = static_cast<std::uint64_t>(range.high_exponent - range.low_exponent);
    x.midpoint.exponent = range.low_exponent + static_cast<int>(below(exponents)) + 1 - 64 * N;
    return x;
  }

  /// The same with an error from half a unit in the last place up to 2^-2 of the number.
  template <int N>
  enclosure<N> inexact(const number_range& range) {
    enclosure<N> x = exact<N>(range);
    const int good_bits = 2 + static_cast<int>(below(64 * N - 2));
    x.error = {static_cast<std::uint32_t>(engine_() | std::uint64_t{1} << 31),
               top_exponent(x.midpoint) - good_bits - 33};
    return x;
  }

  /// A number of the enclosure: one of its ends, or a number between them.
  template <int N>
  mpfr_number member(const enclosure<N>& x) {
    mpfr_number reach = radius_of(x.error), result(64 * N + 64);
    if (below(2) != 0) mpfr_mul_d(reach, reach, static_cast<double>(below(1024)) / 1024, MPFR_RNDZ);
    const mpfr_number middle = midpoint_of(x);
    // Rounded toward the midpoint, so that it stays inside.
    if (below(2) != 0)
      mpfr_add(result, middle, reach, MPFR_RNDD);
    else
      mpfr_sub(result, middle, reach, MPFR_RNDU);
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

/// function(result, direction) with `bits` bits, rounded down and rounded up.
template <class Function>
bracket directed(mpfr_prec_t bits, const Function& function) {
  bracket result{mpfr_number(bits), mpfr_number(bits)};
  function(static_cast<mpfr_ptr>(result.low), MPFR_RNDD);
  function(static_cast<mpfr_ptr>(result.high), MPFR_RNDU);
  return result;
}

}  // namespace ropewalk::oracle
