// Bounds against numbers that were derived on paper, not by the functions that compute them.

#include "ropewalk/law/judge/bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/judge/table_bound.hpp"
#include "ropewalk/law/kernel/adjoint.hpp"
#include "ropewalk/law/kernel/agreement.hpp"
#include "ropewalk/law/kernel/formed_frequency.hpp"

namespace ropewalk {
namespace {

/// Expects a bound that is at least `least`, and above it by rounding up alone.
void expect_just_above(double bound, double least) {
  EXPECT_GE(bound, least);
  EXPECT_LE(bound, least * (1 + 0x1p-40));
}

constexpr pair_bound small{0x1p-10, 0x1p-60};

/// Lemma 2 of rotation_bound.md, even with a table in bfloat16, whatever the data's format.
TEST(Bound, SpeaksOfNothingThatMayOverflow) {
  for_each_type(all_formats{}, []<class Float>() {
    const double w = unit_roundoff<bfloat16>;
    const double largest = std::ldexp(largest_rotated_norm<Float>, -format<Float>::largest_exponent);
    EXPECT_LT(largest * (1 + 4 * w) * (1 + std::sqrt(2) * w), 2 * (1 - 2 * w));
    EXPECT_GT(largest, 1.9) << "little is left out";
  });
}

/// 2.7894 u and 3.1211 u for correctly rounded entries; for a rounded angle the accuracy bound without the
/// angle.
TEST(Bound, OfANormIsItsOwn) {
  const auto in_u = [](const promise& promised, double factor) {
    return std::ldexp(norm_bound<float>(promised, factor).relative, 24);
  };
  EXPECT_NEAR(in_u(promise::canonical, 1), 2.7894, 1e-6);
  EXPECT_NEAR(in_u(promise::rounded_table, 1.25), 3.1211, 1e-6);
  EXPECT_NEAR(in_u(promise::angle_f32, 1), std::sqrt(2.) + std::sqrt(5.), 1e-5);
  EXPECT_NEAR(in_u(promise::angle_f32, 1.25), 2 + std::sqrt(2.) + std::sqrt(5.), 1e-5);
  EXPECT_NEAR(std::ldexp(norm_bound<bfloat16>(promise::dtype_table, 1).relative, 8), 2.8859 * (1 + 0x1p-6),
              1e-3);
}

TEST(Bound, OfTwoRotationsIsBothAndTheirProduct) {
  const pair_bound both = composition_bound(small, {0x1p-12, 0x1p-50}, 1.5);
  expect_just_above(both.relative, 0x1p-10 + 0x1p-12 + 0x1p-22);
  expect_just_above(both.absolute, 1.5 * (1 + 0x1p-12) * 0x1p-60 + 0x1p-50);
}

TEST(Bound, OfAScoreIsTwiceAndTheSquare) {
  expect_just_above(score_bound(small).relative, 0x1p-9 + 0x1p-20);
  expect_just_above(score_bound(small).absolute, (1 + 0x1p-10) * 0x1p-60);
  expect_just_above(score_difference_bound(small).relative, 0x1p-8 + 0x1p-19);
}

TEST(Bound, OfTwoAnswersAndOfTheAdjointIsTwice) {
  EXPECT_EQ(agreement_bound(small), (pair_bound{0x1p-9, 0x1p-59}));
  EXPECT_EQ(adjoint_bound(small), (pair_bound{0x1p-9, 0x1p-60}));
}

/// Canonical: 2.8859 u without and 3.1623 u with an attention factor; 16-bit data adds its own u / (1 + u).
TEST(Bound, OfAccuracyIsThatOfThePaper) {
  const auto in_u = [](double relative, int precision) { return std::ldexp(relative, precision); };
  EXPECT_NEAR(in_u(accuracy_bound<float>(promise::canonical, 1, 0).relative, 24), 2.88590, 1e-5);
  EXPECT_NEAR(in_u(accuracy_bound<float>(promise::canonical, 1.25, 0).relative, 24), 3.16228, 1e-5);
  EXPECT_NEAR(in_u(accuracy_bound<double>(promise::canonical, 1, 0).relative, 53), 2.88590, 1e-5);
  EXPECT_NEAR(in_u(accuracy_bound<bfloat16>(promise::canonical, 1, 0).relative, 8), 256. / 257, 1e-4);
  EXPECT_NEAR(in_u(accuracy_bound<float>(promise::exact, 1, 0).relative, 24), 1, 1e-6);
  EXPECT_NEAR(in_u(accuracy_bound<bfloat16>(promise::dtype_table, 1, 0).relative, 8), 2.8859 * (1 + 0x1p-6),
              1e-3);
}

/// Three roundings of an angle of 1000, and those of cosine and sine, table and rotation.
TEST(Bound, OfAnAngleInBinary32GrowsByThreeRoundings) {
  const auto in_u = [](const promise& promised, double angle, double frequency = 0) {
    return std::ldexp(accuracy_bound<float>(promised, 1, angle, frequency).relative, 24);
  };
  const double rest = std::sqrt(2.) + std::sqrt(5.);
  EXPECT_NEAR(in_u(promise::angle_f32, 1000), 3000 + rest, 0.01);
  EXPECT_NEAR(in_u(promise::angle_f64, 1000), 2000 * 0x1p-29 + std::sqrt(0.5) + std::sqrt(5.), 0.01);
  EXPECT_NEAR(in_u(promise::hf, 1000, 10 * 0x1p-24), 2000 + 10000 + rest, 0.02);
  EXPECT_NEAR(in_u({.frequency = ROPEWALK_PART_F32, .rotation = ROPEWALK_PART_F32}, 1000, 10 * 0x1p-24),
              10000 + std::sqrt(0.5) + std::sqrt(5.), 0.01);
  EXPECT_NEAR(in_u({.angle = ROPEWALK_PART_BF16, .rotation = ROPEWALK_PART_F32}, 0.25),
              65536 * (0.75 + std::sqrt(2.) + 5 * 0x1p-8), 20);
  // A chord is never longer than 2.
  EXPECT_NEAR(accuracy_bound<float>(promise::angle_f32, 1, 0x1p40).relative, 2, 1e-6);
}

TEST(Bound, OfASumIsThatOfEntryAndSum) {
  EXPECT_GE(addition_bound<double>(promise::canonical).absolute, 0x1p-1074);  // half of it would underflow
  EXPECT_LE(addition_bound<float>(promise::canonical).absolute, 0x1p-149);
  EXPECT_NEAR(std::ldexp(addition_bound<float>(promise::canonical).relative, 24), 2, 1e-6);
  EXPECT_NEAR(std::ldexp(addition_bound<double>(promise::rounded_table).relative, 53), 2, 1e-6);
  EXPECT_NEAR(std::ldexp(addition_bound<bfloat16>(promise::dtype_table).relative, 8), 2 + 0x1p-8, 1e-6);
  EXPECT_NEAR(
      std::ldexp(addition_bound<bfloat16>({.entry = ROPEWALK_PART_DATA, .sum = ROPEWALK_PART_F32}).relative,
                 8),
      1 + 256. / 257, 0.01);
}

/// (3 + e ln base) u: the last pair of 128 channels at base 10000 has e = 126 / 128.
TEST(Bound, OfAFormedFrequencyIsThatOfItsPower) {
  const rope plain{.base = 10000, .rotary_dim = 128};
  EXPECT_NEAR(std::ldexp(formed_frequency_error(plain, 0), 24), 3, 1e-4);
  EXPECT_NEAR(std::ldexp(formed_frequency_error(plain, 63), 24), 3 + 126. / 128 * std::log(10000.), 1e-4);
  EXPECT_NEAR(
      std::ldexp(formed_frequency_error({.base = 10000, .rotary_dim = 128, .scaling = linear{4}}, 0), 24), 5,
      1e-4);
  EXPECT_EQ(formed_frequency_error({.rotary_dim = 64, .scaling = proportional{8, 1}}, 20), 0);
}

/// (4 pair + e ln base) u where each pair's comes from the one before; a rule that divides adds 2.
TEST(Bound, OfAFrequencyFromThePairBeforeCountsThePairsBefore) {
  const auto roundings = [](const placed_rope& config, int pair) {
    return std::ldexp(formed_frequency_error(config, pair, ROPEWALK_PART_REPEATED_F32), 24);
  };
  const placed_rope plain{{.base = 10000, .rotary_dim = 128}};
  EXPECT_EQ(roundings(plain, 0), 0);
  EXPECT_NEAR(roundings(plain, 63), 4 * 63 + 126. / 128 * std::log(10000.), 0.01);
  EXPECT_NEAR(roundings({{.base = 10000, .rotary_dim = 128, .scaling = linear{4}}}, 1),
              4 + 2. / 128 * std::log(10000.) + 2, 1e-3);
  placed_rope on_axes{.encoding = {.base = 256, .rotary_dim = 128}, .axes = own_axes(8, 56)};
  EXPECT_NEAR(roundings(on_axes, 20), 4 * 20 + 24. / 112 * std::log(256.), 0.01);  // all pairs of the head
  on_axes.axes.axis[0].turn = linear_between({1, 1}, {4, 1});
  EXPECT_TRUE(std::isinf(roundings(on_axes, 1)));  // no powers of one number
  EXPECT_FALSE(std::isinf(roundings({{.base = 1e35, .rotary_dim = 128}}, 63)));
  EXPECT_TRUE(std::isinf(roundings({{.base = 1e39, .rotary_dim = 128}}, 63)));  // products underflow
  const sinusoidal timestep{.d_model = 320};
  EXPECT_NEAR(std::ldexp(formed_frequency_error(timestep, 159, ROPEWALK_PART_REPEATED_F32), 24),
              4 * 159 + 5 * 159. / 160 * std::log(10000.), 0.1);
}

/// An axis with frequencies of its own forms them as an embedding of its channels.
TEST(Bound, OfAnAxissFormedFrequencyIsThatOfItsChannels) {
  placed_rope config{.encoding = {.base = 256, .rotary_dim = 128}, .axes = own_axes(8, 28, 28)};
  config.axes.axis[1].scaling = ntk{.factor = 3};
  for (const int pair : {0, 7, 63})
    EXPECT_EQ(formed_frequency_error(config, pair),
              formed_frequency_error(rope{.base = 256, .rotary_dim = pair < 8 ? 16 : 56},
                                     pair < 8 ? pair : pair - 36));
  EXPECT_EQ(formed_frequency_error(config, 20),
            formed_frequency_error(rope{.base = 256, .rotary_dim = 56, .scaling = ntk{.factor = 3}}, 12));
  const double before = formed_frequency_error(config, 63), other = formed_frequency_error(config, 0);
  config.coordinates[2] = {{24, 25}, {0, 1}};  // three roundings more
  EXPECT_NEAR(std::ldexp(formed_frequency_error(config, 63) - before, 24), 3, 1e-4);
  EXPECT_EQ(formed_frequency_error(config, 0), other);
}

/// X (7 L + 7) + 4 between two ends, 12 M / f on a line, 1 of a list, and 2 more in parts of a turn.
TEST(Bound, OfAFormedFrequencyBetweenTwoEndsIsThatOfItsLogarithms) {
  placed_rope config{.encoding = {.rotary_dim = 16}, .axes = own_axes(4, 4)};
  const auto roundings = [&](const frequencies& turn, int pair) {
    config.axes.axis[0].turn = turn;
    return std::ldexp(formed_frequency_error(config, pair), 24);
  };
  const double logarithm = std::log(100.);
  EXPECT_NEAR(roundings(falling_from_one(100), 3), 7 * logarithm + 11, 1e-3);
  EXPECT_NEAR(roundings(falling_from_one(100, 0, angle_unit::half_turn), 3), 7 * logarithm + 13, 1e-3);
  EXPECT_NEAR(roundings(falling_from_one(100, 2), 3), 1.5 * (7 * logarithm + 7) + 4, 1e-3);
  EXPECT_NEAR(roundings(linear_between({1, 1}, {4, 1}), 1), 24, 1e-3);
  static constexpr double list[] = {1, 2, 3, 4};
  EXPECT_NEAR(roundings(listed_frequencies(list), 0), 1, 1e-3);
}

/// 8 u (|p| + 2 |a| + b), p = index b + a; an index that is the coordinate is exact.
TEST(Bound, OfAFormedCoordinateIsThatOfItsTerms) {
  EXPECT_NEAR(std::ldexp(formed_coordinate_error({}, 7), 24), 8 * (7 + 1), 1e-3);
  EXPECT_NEAR(std::ldexp(formed_coordinate_error({{1, 7}, {0, 1}}, 6), 24), 8 * 7, 1e-3);
  EXPECT_NEAR(std::ldexp(formed_coordinate_error({{2, 7}, {-3, 2}}, -3), 24), 8 * (3 + 6 + 2), 1e-3);
}

/// (5 x ln base + 3) u, x the exponent; a base that binary32 does not hold adds x u.
TEST(Bound, OfASinusoidsFormedFrequencyIsThatOfItsExponent) {
  const sinusoidal timestep{.d_model = 320, .scale = 1000}, shifted{.d_model = 320, .shift = 1};
  EXPECT_EQ(formed_frequency_error(timestep, 0), 0);
  EXPECT_NEAR(std::ldexp(formed_frequency_error(timestep, 159), 24), 3 + 5 * 159. / 160 * std::log(10000.),
              1e-3);
  EXPECT_NEAR(std::ldexp(formed_frequency_error(shifted, 159), 24), 3 + 5 * std::log(10000.), 1e-3);
  const sinusoidal fraction{.base = 10000.1, .d_model = 320, .shift = 1};
  EXPECT_NEAR(std::ldexp(formed_frequency_error(fraction, 159), 24), 4 + 5 * std::log(10000.1), 1e-3);
}

/// Frequencies, rows and scales in binary32, multiplied in every order: the bound holds, and is not far off.
TEST(Bound, OfAScaledAngleHoldsInEveryOrderOfItsProducts) {
  constexpr promise single{.angle = ROPEWALK_PART_F32};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double row = std::ldexp(share(random), static_cast<int>(random() % 40) - 20),
                 scale = std::ldexp(1 + share(random), static_cast<int>(random() % 30) - 10),
                 frequency = std::exp(-9.2 * share(random));
    const auto value = static_cast<float>(row), s = static_cast<float>(scale),
               f = static_cast<float>(frequency);
    const long double exact = static_cast<long double>(row) * scale * frequency;
    const double bound =
        detail::sinusoid_angle_error(single, scale, detail::above(static_cast<double>(exact)), 0);
    for (const float angle : {s * value * f, s * (value * f), s * f * value}) {
      const auto error = static_cast<double>(std::abs(static_cast<long double>(angle) - exact));
      ASSERT_LE(error, bound) << row << " " << scale << " " << frequency;
      worst = std::max(worst, error / bound);
    }
  }
  EXPECT_GT(worst, 0.7);
  // Subnormal products and rows count, too.
  const float tiny = 1e-40F;
  const double exact = 0x1p60 * (1.7e-40 * 0x1p-20);
  EXPECT_LE(std::abs(static_cast<double>(0x1p60F * (1.7F * tiny * 0x1p-20F)) - exact),
            detail::sinusoid_angle_error(single, 0x1p60, detail::above(exact), 0));
}

/// A scale of 1 multiplies nothing: the bound is that of a rotary table.
TEST(Bound, OfASinusoidWithoutAScaleIsThatOfARotaryTable) {
  for (const promise& promised :
       {promise::hf, promise::angle_f32, promise::angle_f64, promise::rounded_table}) {
    EXPECT_EQ(sinusoid_bound<float>(promised, 1, 1000, 1e-6),
              table_bound<float>(promised, 1, 1000, 1e-6).relative);
    const bool grows = promised.angle != ROPEWALK_UNROUNDED;
    EXPECT_EQ(sinusoid_bound<float>(promised, 3, 1000, 1e-6) > sinusoid_bound<float>(promised, 1, 1000, 1e-6),
              grows);
  }
}

}  // namespace
}  // namespace ropewalk
