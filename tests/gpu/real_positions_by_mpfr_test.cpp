// Positions in binary64: rows of vulkan-turns against MPFR, bit for bit, for turns of every magnitude.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gpu/kernel_device.hpp"
#include "gpu/kernels.hpp"
#include "gpu/mpfr_words.hpp"
#include "gpu/real_position_draws.hpp"
#include "gpu/watched_device.hpp"
#include "kernel/addition_case.hpp"
#include "kernel/rotation_case.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"

namespace ropewalk::test {
namespace {

/// Pairs with any turns: a real number of 256 bits, or exactly a binary64.
struct turning_pairs {
  void add(const mpfr_number& turns, const ropewalk_real& real) {
    mpfr_number two_pi(precision), rate(precision), fraction(precision);
    mpfr_const_pi(two_pi, MPFR_RNDN);
    mpfr_mul_ui(two_pi, two_pi, 2, MPFR_RNDN);
    mpfr_mul(rate, turns, two_pi, MPFR_RNDN);
    inv_freq.push_back(mpfr_get_d(rate, MPFR_RNDN));
    mpfr_frac(fraction, turns, MPFR_RNDN);
    for (const auto& [words, count] : {std::pair{&turns_128, std::size_t{4}}, {&turns_256, std::size_t{8}}}) {
      const std::vector<std::uint32_t> more = fraction_words(fraction, count);
      words->insert(words->end(), more.begin(), more.end());
    }
    turns_real.push_back(real);
  }
  void add(const mpfr_number& turns) { add(turns, real_of(turns)); }
  void add(double turns) { add(mpfr_number(precision, turns), exact_real(turns)); }

  ropewalk_rotation view() const {
    ropewalk_rotation view = empty_encoding<rotate>();
    view.head_dim = view.rotary_dim = static_cast<std::int32_t>(2 * inv_freq.size());
    view.axes = 1;
    view.inv_freq = inv_freq.data();
    view.turns = turns_128.data();
    view.turns_256 = turns_256.data();
    view.turns_real = turns_real.data();
    view.attention_factor = factor;
    view.attention_real = factor_real;
    return view;
  }

  std::vector<double> inv_freq{};
  std::vector<std::uint32_t> turns_128{}, turns_256{};
  std::vector<ropewalk_real> turns_real{};
  double factor = 1;
  ropewalk_real factor_real{};
};

/// The vectors (1, -0) of all pairs, turned at positions: cosines and sines with their signs.
///
/// shape   [tokens, pairs, 2]
std::vector<float> turned(const planned& plan, const turning_pairs& pairs,
                          const ropewalk_positions& positions, std::size_t tokens) {
  const auto channels = static_cast<std::int64_t>(2 * pairs.inv_freq.size());
  std::vector<float> elements;
  for (std::size_t i = 0; i < tokens * pairs.inv_freq.size(); ++i)
    elements.insert(elements.end(), {1, -0.0f});
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {elements.data(),
                   ROPEWALK_F32,
                   3,
                   {static_cast<std::int64_t>(tokens), 1, channels},
                   {channels, channels, 1}};
  call.query_out = call.query_in;
  call.tokens.positions = positions;
  call.tokens.end = static_cast<std::int64_t>(tokens);
  EXPECT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
  return elements;
}

/// factor x cosine and factor x sine of position x turns, rounded once from MPFR's numbers. A zero that is
/// exact is +0.
std::pair<float, float> by_mpfr(const ropewalk_real& turns, double position, double factor) {
  constexpr mpfr_prec_t enough =
      600;  // 309 for the phase, as many as its whole turns have, and some to spare
  mpfr_number angle(enough), pi(enough), cosine(enough), sine(enough);
  const mpfr_number half(enough, 0.5);  // cosines and sines of quarter turns are 0 or 1 in magnitude
  mpfr_set_ui(angle, 0, MPFR_RNDN);
  for (int word = 7; word >= 0; --word) {
    mpfr_mul_2ui(angle, angle, 32, MPFR_RNDN);
    mpfr_add_ui(angle, angle, turns.significand[word], MPFR_RNDN);
  }
  mpfr_mul_2si(angle, angle, turns.exponent + 2, MPFR_RNDN);
  mpfr_mul_d(angle, angle, position, MPFR_RNDN);  // exact, in quarter turns
  const bool is_quarter = mpfr_integer_p(angle) != 0;
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_div_2ui(pi, pi, 1, MPFR_RNDN);
  mpfr_mul(angle, angle, pi, MPFR_RNDN);
  mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
  for (mpfr_number* result : {&cosine, &sine})
    if (is_quarter && mpfr_cmpabs(*result, half) < 0) mpfr_set_zero(*result, 1);
  for (mpfr_number* result : {&cosine, &sine}) mpfr_mul_d(*result, *result, factor, MPFR_RNDN);
  return {mpfr_get_flt(cosine, MPFR_RNDN), mpfr_get_flt(sine, MPFR_RNDN)};
}

/// Turns of 256 bits between 2^exponent and 2^(exponent + 1).
mpfr_number random_turns(int exponent, std::mt19937_64& random) {
  mpfr_number turns(256, 1 + static_cast<double>(random() >> 12) * 0x1p-52);
  for (int more = 1; more < 5; ++more) {
    mpfr_number bits(precision, static_cast<double>(random() >> 12));
    mpfr_mul_2si(bits, bits, -52 * (more + 1), MPFR_RNDN);
    mpfr_add(turns, turns, bits, MPFR_RNDN);
  }
  mpfr_mul_2si(turns, turns, exponent, MPFR_RNDN);
  return turns;
}

/// Compares every cosine and sine with MPFR's, and returns their number.
std::size_t expect_mpfr(const turning_pairs& pairs, const std::vector<double>& positions) {
  std::size_t different = 0, at = 0;
  const planned plan(vulkan_kernels()[0], pairs.view());
  EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  const std::vector<float> got =
      turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, positions.data(), {0, 0, 1}}, positions.size());
  for (const double position : positions)
    for (const ropewalk_real& turns : pairs.turns_real) {
      const auto [cosine, sine] = by_mpfr(turns, position, pairs.factor);
      different += to_bits(got[at++]) != to_bits(cosine);
      different += to_bits(got[at++]) != to_bits(sine);
    }
  EXPECT_EQ(different, 0u);
  return at;
}

/// Frequencies from the slowest that is served to 2^100 turns a unit, and positions of every magnitude: every
/// place at which the window of the turns may begin.
TEST(VulkanRealPositions, EqualMpfrForTurnsOfEveryMagnitude) {
  vulkan::wish_for({});
  std::mt19937_64 random(47);
  std::size_t entries = 0;
  for (int round = 0; round < 40; ++round) {
    turning_pairs pairs;
    for (int pair = 0; pair < 32; ++pair) {
      const int exponent = static_cast<int>(random() % (round % 4 == 0 ? 146 : 60)) - 46;
      if (pair % 4 == 0)
        pairs.add(std::ldexp(static_cast<double>(random() % 4096 + 1), exponent));
      else
        pairs.add(random_turns(exponent, random));
    }
    if (round % 3 == 0) {
      pairs.factor = 1 + static_cast<double>(random() >> 12) * 0x1p-53;
      pairs.factor_real = exact_real(pairs.factor);
    }
    std::vector<double> positions(40);
    for (double& position : positions) position = random_real(random);
    entries += expect_mpfr(pairs, positions);
  }
  EXPECT_GT(entries, 100'000u);
  RecordProperty("entries", std::to_string(entries));
}

/// Pairs so fast that they turn visibly at subnormal positions.
TEST(VulkanRealPositions, EqualMpfrAtSubnormalPositions) {
  vulkan::wish_for({});
  std::mt19937_64 random(53);
  turning_pairs pairs;
  for (int pair = 0; pair < 24; ++pair)
    pairs.add(random_turns(960 + static_cast<int>(random() % 60), random));
  std::vector<double> positions{0x1p-1022, -0x1p-1074, 0x1.8p-1021};
  while (positions.size() < 60) positions.push_back(from_bits<double>(random() >> (12 + random() % 50)));
  expect_mpfr(pairs, positions);
}

/// Beyond 2^118 turns, 256 bits may not say where in a turn a position is; exact turns do.
TEST(VulkanRealPositions, AreUndecidedWhereTheTurnsAreNotKnown) {
  const watched_device device;
  std::mt19937_64 random(54);
  turning_pairs unknown, known;
  unknown.add(random_turns(240, random));
  known.add(0x1.8p240);
  const double position = 3e8 + 0.1;
  const ropewalk_positions positions{ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}};
  float elements[] = {1, -0.0f};
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {elements, ROPEWALK_F32, 3, {1, 1, 2}, {2, 2, 1}};
  call.query_out = call.query_in;
  call.tokens.positions = positions;
  call.tokens.end = 1;
  const planned plan(vulkan_kernels()[0], unknown.view()), exact(vulkan_kernels()[0], known.view());
  EXPECT_EQ(plan.apply(call), ROPEWALK_UNDECIDED);
  EXPECT_STREQ(plan.error.field, "turns[0]");
  EXPECT_EQ(elements[0], 1);
  const std::vector<float> got = turned(exact, known, positions, 1);
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(to_bits(got[1]), to_bits(0.0f));
}

/// Turns for which a cosine or a sine at a real position lies near a rounding midpoint of binary32, or a
/// phase near a quarter turn: 2^-30 to 2^-140 of itself away, so that neither 64 nor 128 bits may decide.
TEST(VulkanRealPositions, EqualMpfrWhereRoundingsAreHard) {
  vulkan::wish_for({});
  std::mt19937_64 random(48);
  std::size_t different = 0;
  for (int i = 0; i < 4000; ++i) {
    double position = 0;
    while (std::abs(position) < 0x1p-40) position = random_real(random);
    turning_pairs pairs;
    const bool is_small = random() % 2 == 0;
    const int bits = static_cast<int>(30 + random() % 110);
    mpfr_number x(precision);
    if (i % 4 == 3) {
      mpfr_set_ui_2exp(x, random() % 4, -2, MPFR_RNDN);
      mpfr_number beside(precision, random() % 2 == 0 ? 1 : -1);
      mpfr_mul_2si(beside, beside, -bits, MPFR_RNDN);
      mpfr_add(x, x, beside, MPFR_RNDN);
    } else {
      x = near_middle(random, is_small ? static_cast<int>(random() % 64) : 0, bits);
      if (i % 4 == 0) {
        pairs.factor = 1 + static_cast<double>(random() >> 12) * 0x1p-53;
        pairs.factor_real = exact_real(pairs.factor);
        mpfr_div_d(x, x, pairs.factor, MPFR_RNDN);
      }
      mpfr_number two_pi(precision);
      mpfr_const_pi(two_pi, MPFR_RNDN);
      mpfr_mul_ui(two_pi, two_pi, 2, MPFR_RNDN);
      (is_small || random() % 2 == 0 ? mpfr_asin : mpfr_acos)(x, x, MPFR_RNDN);
      mpfr_div(x, x, two_pi, MPFR_RNDN);
    }
    mpfr_add_ui(x, x, 1 + random() % 4000, MPFR_RNDN);
    mpfr_div_d(x, x, position, MPFR_RNDN);
    mpfr_abs(x, x, MPFR_RNDN);
    if (mpfr_cmp_d(x, 0x1p-46) < 0) continue;  // declined
    pairs.add(x);
    const planned plan(vulkan_kernels()[0], pairs.view());
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    const std::vector<float> got = turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}}, 1);
    const auto [cosine, sine] = by_mpfr(pairs.turns_real[0], position, pairs.factor);
    different += got != std::vector<float>{cosine, sine};
  }
  EXPECT_EQ(different, 0u);
}

/// Frequencies that are exact in turns, as those counted in half turns are: a number of quarter turns has
/// zeros and ones, and every zero is +0. Whole positions have them too.
TEST(VulkanRealPositions, ExactQuarterTurnsHaveExactZerosAndOnes) {
  const watched_device device;
  for (const double turns : {0.25, 0.5, 1.0, 0.125, 0.375, 2500.25, 0x1.8p-20, 0x1p40}) {
    turning_pairs pairs;
    pairs.add(turns);
    const planned plan(vulkan_kernels()[0], pairs.view());
    ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
    for (int quarters = -9; quarters <= 9; ++quarters) {
      const double position = quarters / (4 * turns);
      if (std::fma(position, 4 * turns, -quarters) != 0) continue;
      const auto wanted = [&](int quarter) {
        constexpr float cosines[] = {1, 0, -1, 0};
        return cosines[quarter & 3];
      };
      const auto expect = [&](const std::vector<float>& got) {
        EXPECT_EQ(to_bits(got[0]), to_bits(wanted(quarters))) << turns << ' ' << quarters;
        EXPECT_EQ(to_bits(got[1]), to_bits(wanted(quarters - 1))) << turns << ' ' << quarters;
      };
      expect(turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}}, 1));
      const auto whole = static_cast<std::int32_t>(position);
      if (position == whole) expect(turned(plan, pairs, given_positions(&whole), 1));
    }
  }
}

/// A pair that stands still turns at no position.
TEST(VulkanRealPositions, PairsThatStandStillAreNotTurned) {
  const watched_device device;
  turning_pairs pairs;
  pairs.add(0.3);
  pairs.add(mpfr_number(precision, 0.0), {});
  const planned plan(vulkan_kernels()[0], pairs.view());
  ASSERT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  for (const double position : {0.0, 0.1, -3e8, 5e-324}) {
    const std::vector<float> got = turned(plan, pairs, {ROPEWALK_POSITIONS_F64, 1, &position, {0, 0, 1}}, 1);
    EXPECT_EQ(got[2], 1.0f);
    EXPECT_EQ(to_bits(got[3]), to_bits(0.0f));
  }
}

}  // namespace
}  // namespace ropewalk::test
