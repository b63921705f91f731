// Rows at positions in binary64: those of every target against MPFR and exact arithmetic.

#include "kernel/real_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>
#include <thread>
#include <vector>

#include "kernel/real_case.hpp"
#include "kernel/real_walk.hpp"
#include "kernel/row_space.hpp"
#include "oracle/in_full.hpp"
#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

/// The rows of a form on one target.
struct form_rows {
  form_rows(const ropewalk_rotation& encoding, const simd::target& target)
      : plan(encoding), whole(plan, target), real(plan, whole), space(plan.layout.pairs()) {}

  int fill(int axis, double position, bool unit = false) {
    return real.row(axis, position, unit, space.cos(), space.sin(), space.undecided());
  }

  rotation_plan plan;
  fast_rows whole;
  real_rows real;
  row_space<float> space;
};

std::vector<double> tested_real_positions(std::uint64_t seed) {
  std::vector<double> positions = hard_positions();
  std::mt19937_64 random(seed);
  const int count = is_in_full() ? 4000 : 60;
  for (int i = 0; i < count; ++i) positions.push_back(random_real_position(random));
  return positions;
}

class RealRows : public testing::TestWithParam<const simd::target*> {};

TEST_P(RealRows, AreTheNearestNumbersByMpfrAndByExactArithmetic) {
  std::int64_t entries = 0, exactly = 0;
  for (const real_form& form : real_forms()) {
    const real_encoding encoding(form);
    form_rows rows(encoding.view(), *GetParam());
    std::vector<double> positions = tested_real_positions(1);
    std::mt19937_64 random(6);
    for (const oracle::power_frequency& frequency : form.pairs)
      for (int i = 0; i < 4; ++i) positions.push_back(near_quarter_turn(frequency, random));
    for (const double position : positions)
      for (int axis = 0; axis < form.axes; ++axis) {
        exactly += rows.fill(axis, position);
        std::size_t at = 0;
        for (const int pair : rows.real.pairs_of(axis)) {
          const auto truth =
              oracle::turns_oracle::at(position, form.pairs[static_cast<std::size_t>(pair)], form.factor);
          const auto exact = rows.plan.rows.entry<float>(pair, position, false);
          ASSERT_EQ(to_bits(rows.space.cos()[at]), truth.cos.in<float>())
              << form.name << ' ' << position << ' ' << pair;
          ASSERT_EQ(to_bits(rows.space.sin()[at]), truth.sin.in<float>())
              << form.name << ' ' << position << ' ' << pair;
          ASSERT_EQ(exact.cos, truth.cos.in<float>()) << form.name << ' ' << position << ' ' << pair;
          ASSERT_EQ(exact.sin, truth.sin.in<float>()) << form.name << ' ' << position << ' ' << pair;
          ++at;
          entries += 2;
        }
      }
  }
  EXPECT_GE(entries, 10'000);
  std::cout << entries << " entries, " << exactly << " pairs by exact arithmetic\n";
}

TEST_P(RealRows, UnitRowsHaveNoFactor) {
  const real_form form = text_form(9, 500000, 1.25), unit = text_form(9, 500000);
  const real_encoding encoding(form);
  form_rows rows(encoding.view(), *GetParam());
  for (const double position : hard_positions()) {
    rows.fill(0, position, true);
    for (int pair = 0; pair < 9; ++pair) {
      const auto truth = oracle::turns_oracle::at(position, unit.pairs[static_cast<std::size_t>(pair)]);
      ASSERT_EQ(to_bits(rows.space.cos()[pair]), truth.cos.in<float>()) << position;
      ASSERT_EQ(to_bits(rows.space.sin()[pair]), truth.sin.in<float>()) << position;
    }
  }
}

/// Every exact 0 is +0, and a cosine of 1 is not left to exact arithmetic.
TEST_P(RealRows, ExactQuarterTurnsAreNamed) {
  const real_form form = exact_form(6);
  const real_encoding encoding(form);
  form_rows rows(encoding.view(), *GetParam());
  std::int64_t zeros = 0;
  for (const double size :
       {0x1p-10, 0.125, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.75, 1024.5, 65537.0, 2147483647.5})
    for (const double position : {size, -size}) {
      EXPECT_EQ(rows.fill(0, position), 0) << position;
      for (std::size_t at = 0; at < rows.real.pairs_of(0).size(); ++at) {
        const auto quarters = position * std::ldexp(1.0, static_cast<int>(at) - 2);
        if (quarters != std::floor(quarters)) continue;
        const std::int64_t quarter = static_cast<std::int64_t>(quarters) & 3;
        constexpr float cos[] = {1, 0, -1, 0}, sin[] = {0, 1, 0, -1};
        EXPECT_EQ(to_bits(rows.space.cos()[at]), to_bits(cos[quarter])) << position << ' ' << at;
        EXPECT_EQ(to_bits(rows.space.sin()[at]), to_bits(sin[quarter])) << position << ' ' << at;
        ++zeros;
      }
    }
  EXPECT_GE(zeros, 60);
}

TEST_P(RealRows, PositionZeroAndPairsThatStandStillAreNamed) {
  const real_encoding encoding(ltx_form(6));
  form_rows rows(encoding.view(), *GetParam());
  for (const double position : {0.0, -0.0}) {
    EXPECT_EQ(rows.fill(0, position), 0);
    for (std::size_t at = 0; at < rows.real.pairs_of(0).size(); ++at) {
      EXPECT_EQ(to_bits(rows.space.cos()[at]), to_bits(1.0F));
      EXPECT_EQ(to_bits(rows.space.sin()[at]), to_bits(0.0F));
    }
  }
  for (const double position : {-0.3, 1e-300, -1e9}) {
    rows.fill(0, position);
    for (int at = 0; at < 2; ++at) {
      EXPECT_EQ(to_bits(rows.space.cos()[at]), to_bits(1.0F));
      EXPECT_EQ(to_bits(rows.space.sin()[at]), to_bits(0.0F));
    }
  }
}

TEST_P(RealRows, SmallPositionsNeedNoExactArithmetic) {
  const real_encoding encoding(text_form(64));
  form_rows rows(encoding.view(), *GetParam());
  std::mt19937_64 random(3);
  std::int64_t exactly = 0;
  for (int i = 0; i < 2000; ++i)
    exactly += rows.fill(
        0, std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, -static_cast<int>(random() % 120)));
  EXPECT_LE(exactly, 10);
}

TEST_P(RealRows, WholePositionsGiveTheRowsOfWholeNumbers) {
  for (const rope& config : {oracle::llama_2, oracle::qwen_yarn}) {
    const resolved_encoding resolved(config, {.head_dim = config.rotary_dim});
    form_rows rows(resolved.view(), *GetParam());
    row_space<float> whole(rows.whole.pairs());
    std::mt19937_64 random(4);
    for (int i = 0; i < 2000; ++i) {
      const std::int64_t position = static_cast<std::int32_t>(random()) >> (random() % 32);
      rows.whole.row(position, false, whole.cos(), whole.sin(), whole.undecided());
      rows.fill(0, static_cast<double>(position));
      for (int pair = 0; pair < rows.whole.pairs(); ++pair) {
        ASSERT_EQ(to_bits(rows.space.cos()[pair]), to_bits(whole.cos()[pair])) << position;
        ASSERT_EQ(to_bits(rows.space.sin()[pair]), to_bits(whole.sin()[pair])) << position;
      }
    }
  }
}

/// Sums of angles, which serve whole steps from a position, against rows of their own.
TEST_P(RealRows, AWalkGivesTheRowOfEachPosition) {
  for (const real_form& form : {text_form(20), text_form(9, 500000, 1.2079441541679836), wide_form()}) {
    const real_encoding encoding(form);
    form_rows rows(encoding.view(), *GetParam());
    std::mt19937_64 random(5);
    real_walk walk(rows.real, false);
    row_space<float> walked(rows.plan.layout.pairs());
    double position = 0.5;
    for (int i = 0; i < 3000; ++i) {
      switch (random() % 64) {
        case 0: position = random_real_position(random); break;
        case 1: position -= 7; break;
        case 2: position = std::nextafter(position, 0); break;
        case 3: position = static_cast<double>(random() % 100) - 20; break;
        default: position += 1;
      }
      if (!(std::abs(position) < 0x1p31)) position = -3.25;
      walk.row(position, walked.cos(), walked.sin(), walked.undecided());
      rows.fill(0, position);
      for (int pair = 0; pair < rows.whole.pairs(); ++pair) {
        ASSERT_EQ(to_bits(walked.cos()[pair]), to_bits(rows.space.cos()[pair])) << position;
        ASSERT_EQ(to_bits(walked.sin()[pair]), to_bits(rows.space.sin()[pair])) << position;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, RealRows, testing::ValuesIn(simd::targets().begin(), simd::targets().end()),
                         [](const auto& value) {
                           std::string name;
                           for (const char* at = value.param->name; *at != 0; ++at)
                             if (std::isalnum(static_cast<unsigned char>(*at)) != 0) name += *at;
                           return name;
                         });

TEST(RealRowsInBinary64, AreTheNearestNumbersByMpfr) {
  std::int64_t entries = 0;
  for (const real_form& form : real_forms()) {
    const real_encoding encoding(form);
    form_rows rows(encoding.view(), *simd::targets().front());
    row_space<double> space(rows.plan.layout.pairs());
    for (const double position : tested_real_positions(2))
      for (int axis = 0; axis < form.axes; ++axis) {
        rows.real.row(axis, position, false, space.cos(), space.sin(), space.undecided());
        std::size_t at = 0;
        for (const int pair : rows.real.pairs_of(axis)) {
          const auto truth =
              oracle::turns_oracle::at(position, form.pairs[static_cast<std::size_t>(pair)], form.factor);
          ASSERT_EQ(to_bits(space.cos()[at]), truth.cos.in<double>())
              << form.name << ' ' << position << ' ' << pair;
          ASSERT_EQ(to_bits(space.sin()[at]), truth.sin.in<double>())
              << form.name << ' ' << position << ' ' << pair;
          const auto half = rows.plan.rows.entry<binary16>(pair, position, false);
          ASSERT_EQ(half.cos, truth.cos.in<binary16>()) << form.name << ' ' << position << ' ' << pair;
          ASSERT_EQ(half.sin, truth.sin.in<binary16>()) << form.name << ' ' << position << ' ' << pair;
          const auto brain = rows.plan.rows.entry<bfloat16>(pair, position, false);
          ASSERT_EQ(brain.cos, truth.cos.in<bfloat16>()) << form.name << ' ' << position << ' ' << pair;
          ASSERT_EQ(brain.sin, truth.sin.in<bfloat16>()) << form.name << ' ' << position << ' ' << pair;
          ++at;
          entries += 6;
        }
      }
  }
  EXPECT_GE(entries, 30'000);
  std::cout << entries << " entries\n";
}

TEST(RealRowsOfThreads, ShareTurnsThatAreMadeOnce) {
  const real_encoding encoding(dino_form(32));
  const rotation_plan plan(encoding.view());
  const fast_rows whole(plan, *simd::targets().front());
  for (int round = 0; round < 20; ++round) {
    const real_rows shared(plan, whole);
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (std::size_t i = 0; i < wrong.size(); ++i)
      threads.emplace_back([&, i] {
        row_space<float> space(plan.layout.pairs());
        for (int exponent = -60; exponent < 30; ++exponent) {
          const double position = std::ldexp(1.3, exponent);
          shared.row(1, position, false, space.cos(), space.sin(), space.undecided());
          const auto exact = plan.rows.entry<float>(shared.pairs_of(1)[3], position, false);
          wrong[i] += to_bits(space.cos()[3]) != exact.cos || to_bits(space.sin()[3]) != exact.sin;
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(4));
  }
}

}  // namespace
}  // namespace ropewalk::test
