// Cosine and sine of turns and of radians against MPFR.

#include "ropewalk/function/sin_cos.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/random_enclosure.hpp"

namespace ropewalk {
namespace {

using oracle::directed;
using oracle::mpfr_number;
using oracle::random_numbers;

constexpr int sin_cos_cases = 300;
constexpr int sin_cos_spare_bits = 8;

template <class Count>
class SinCos : public testing::Test {};
TYPED_TEST_SUITE(SinCos, oracle::limb_counts);

template <int N>
void expect_turns_hold(const enclosure<N>& turns, const mpfr_number& member) {
  const cos_sin<N> result = cos_sin_of_turns(turns);
  const auto cos =
      directed(64 * N + 64, [&](mpfr_ptr value, mpfr_rnd_t d) { mpfr_cosu(value, member, 1, d); });
  const auto sin =
      directed(64 * N + 64, [&](mpfr_ptr value, mpfr_rnd_t d) { mpfr_sinu(value, member, 1, d); });
  EXPECT_TRUE(oracle::contains(result.cos, cos));
  EXPECT_TRUE(oracle::contains(result.sin, sin));
}

TYPED_TEST(SinCos, TurnsContainTheTruth) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < sin_cos_cases; ++i) {
    const enclosure<n> x =
        i % 2 != 0 ? random.exact<n>({-1200, 64 * n, true}) : random.inexact<n>({-60, 3, true});
    expect_turns_hold(x, random.member(x));
  }
}

TYPED_TEST(SinCos, TurnsContainTheTruthBesideQuarters) {
  constexpr int n = TypeParam::value;
  for (int eighths = -17; eighths <= 17; ++eighths)
    for (double nudge : {-0x1p-60, -0x1p-1074, 0.0, 0x1p-1074, 0x1p-60}) {
      const enclosure<n> x = enclosure<n>::of(eighths / 8.0) + enclosure<n>::of(nudge);
      expect_turns_hold(x, oracle::midpoint_of(x));
    }
}

TYPED_TEST(SinCos, RadiansContainTheTruth) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < sin_cos_cases; ++i) {
    const enclosure<n> x =
        i % 2 != 0 ? random.exact<n>({-1200, 64 * n, true}) : random.inexact<n>({-60, 3, true});
    const mpfr_number member = random.member(x);
    const auto cos = directed(64 * n + 64, [&](mpfr_ptr ptr, mpfr_rnd_t d) { mpfr_cos(ptr, member, d); });
    const auto sin = directed(64 * n + 64, [&](mpfr_ptr ptr, mpfr_rnd_t d) { mpfr_sin(ptr, member, d); });
    const cos_sin<n> result = cos_sin_of_radians(x);
    EXPECT_TRUE(oracle::contains(result.cos, cos));
    EXPECT_TRUE(oracle::contains(result.sin, sin));
  }
}

TYPED_TEST(SinCos, ExactTurnsLoseFewBits) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < sin_cos_cases; ++i) {
    const cos_sin<n> result = cos_sin_of_turns(random.exact<n>({-300, 40, true}));
    EXPECT_LT(result.cos.error, (radius{std::uint32_t{1} << 31, sin_cos_spare_bits - 31 - 64 * n}));
    EXPECT_LT(result.sin.error, (radius{std::uint32_t{1} << 31, sin_cos_spare_bits - 31 - 64 * n}));
    // A small angle keeps its relative precision.
    const cos_sin<n> small = cos_sin_of_turns(random.exact<n>({-1200, -3, true}));
    EXPECT_LE(oracle::relative_error_exponent(small.sin), sin_cos_spare_bits - 64 * n);
  }
}

TYPED_TEST(SinCos, RadiansLoseTheBitsOfWholeTurnsAlone) {
  constexpr int n = TypeParam::value;
  random_numbers random(n);
  for (int i = 0; i < sin_cos_cases; ++i) {
    const enclosure<n> x = random.exact<n>({-300, 40, true});
    const cos_sin<n> result = cos_sin_of_radians(x);
    const int whole_bits = std::max(0, top_exponent(x.midpoint));
    EXPECT_LT(result.cos.error,
              (radius{std::uint32_t{1} << 31, sin_cos_spare_bits - 31 - 64 * n + whole_bits}));
    EXPECT_LT(result.sin.error,
              (radius{std::uint32_t{1} << 31, sin_cos_spare_bits - 31 - 64 * n + whole_bits}));
  }
}

TYPED_TEST(SinCos, ZeroTurnsAreExact) {
  constexpr int n = TypeParam::value;
  const cos_sin<n> zero = cos_sin_of_turns(enclosure<n>::of(0));
  EXPECT_EQ(compare(zero.cos, enclosure<n>::of(1)), order::equal);
  EXPECT_EQ(compare(zero.sin, enclosure<n>::of(0)), order::equal);
}

}  // namespace
}  // namespace ropewalk
