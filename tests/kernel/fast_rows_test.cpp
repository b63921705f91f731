// The rows that vectors compute, against MPFR on the best target, and against exact arithmetic on every
// target.

#include "kernel/fast_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "kernel/fast_rows_case.hpp"
#include "oracle/models.hpp"

namespace ropewalk::test {
namespace {

constexpr rope still_pairs{
    .base = 10000, .rotary_dim = 64, .scaling = proportional{.live_pairs = 8, .factor = 1}};
constexpr rope slow_pairs{.base = 1e30, .rotary_dim = 20};
constexpr rope configs[] = {oracle::llama_2,  oracle::llama_31, oracle::qwen_yarn,
                            oracle::gpt_neox, still_pairs,      slow_pairs};

/// Any signed 32-bit position, near and far alike.
std::int64_t random_position(std::mt19937_64& random) {
  const auto far = static_cast<std::int32_t>(random());
  return far >> (random() % 32);
}

TEST(FastRows, AreCorrectlyRoundedOnTheBestTarget) {
  wrong_floats all;
  for (const rope& config : configs) {
    const vector_rows simd_rows(config, *simd::targets().front());
    row_space<float> space(simd_rows.rows.pairs());
    std::mt19937_64 random(1);
    for (std::int64_t rows = 175'000 / simd_rows.rows.pairs(); rows > 0; --rows) {
      const std::int64_t position = random_position(random);
      simd_rows.rows.row(position, false, space.cos(), space.sin(), space.undecided());
      all += compare_row(simd_rows.oracle, position, space.cos(), space.sin());
    }
  }
  EXPECT_EQ(all.wrong, 0) << all;
  EXPECT_GE(all.entries, 1'000'000);
}

TEST(FastRows, WalksAreCorrectlyRoundedOnTheBestTarget) {
  for (const rope& config : configs) {
    const vector_rows simd_rows(config, *simd::targets().front());
    const auto pairs = static_cast<std::size_t>(simd_rows.rows.pairs());
    for (const std::int64_t begin : {std::int64_t{0}, std::int64_t{-70}, std::int64_t{131'000},
                                     smallest_position, largest_position - 199}) {
      const position_range positions{begin, begin + 200};
      std::vector<float> cos(200 * pairs + simd::row_multiple), sin(cos);
      row_walk walk(simd_rows.rows);
      walk.rows(positions, false, cos.data(), sin.data());
      wrong_floats floats;
      for (std::size_t row = 0; row < 200; ++row)
        floats += compare_row(simd_rows.oracle, begin + static_cast<std::int64_t>(row),
                              cos.data() + row * pairs, sin.data() + row * pairs);
      EXPECT_EQ(floats.wrong, 0) << floats << " from " << begin;
    }
  }
}

TEST(FastRows, EveryTargetGivesTheBitsOfExactArithmetic) {
  for (const simd::target* target : simd::targets())
    for (const rope& config : configs)
      for (const bool unit : {false, true}) {
        const vector_rows simd_rows(config, *target);
        const auto pairs = static_cast<std::size_t>(simd_rows.rows.pairs());
        row_space<float> space(simd_rows.rows.pairs());
        std::vector<std::uint32_t> cos(pairs), sin(pairs);
        row_walk walk(simd_rows.rows);
        std::mt19937_64 random(2);
        std::int64_t position = -40;
        for (int row = 0; row < 200; ++row) {
          position = row % 100 < 80 ? position + 1 : random_position(random);
          walk.row(position, unit, space.cos(), space.sin(), space.undecided());
          simd_rows.plan.rows.row<float>(position, unit, cos.data(), sin.data());
          for (std::size_t pair = 0; pair < pairs; ++pair) {
            ASSERT_EQ(to_bits(space.cos()[pair]), cos[pair])
                << target->name << ' ' << position << ' ' << pair;
            ASSERT_EQ(to_bits(space.sin()[pair]), sin[pair])
                << target->name << ' ' << position << ' ' << pair;
          }
        }
      }
}

TEST(FastRows, AWalkTellsUnitRowsFromOthers) {
  const vector_rows simd_rows(oracle::qwen_yarn, *simd::targets().front());
  row_space<float> space(64);
  row_walk walk(simd_rows.rows);
  for (std::int64_t position = 1000; position < 1012; ++position) {
    const bool unit = position % 4 == 3;
    walk.row(position, unit, space.cos(), space.sin(), space.undecided());
    const auto entry = simd_rows.plan.rows.entry<float>(20, position, unit);
    EXPECT_EQ(to_bits(space.cos()[20]), entry.cos) << position;
    EXPECT_EQ(to_bits(space.sin()[20]), entry.sin) << position;
  }
}

TEST(FastRows, AHardEntryIsLeftToExactArithmetic) {
  // cos of pair 35 at this position lies 2^-38 ulp from a rounding midpoint of binary32.
  constexpr std::int64_t position = 1435833356;
  for (const simd::target* target : simd::targets()) {
    const vector_rows simd_rows(oracle::llama_2, *target);
    row_space<float> space(64);
    for (const std::int64_t p : {position, -position}) {
      const int listed = simd_rows.rows.try_row(p, false, space.cos(), space.sin(), space.undecided());
      EXPECT_EQ(std::count(space.undecided(), space.undecided() + listed, 35), 1) << target->name;
      simd_rows.rows.row(p, false, space.cos(), space.sin(), space.undecided());
      const wrong_floats floats = compare_row(simd_rows.oracle, p, space.cos(), space.sin());
      EXPECT_EQ(floats.wrong, 0) << target->name << ' ' << floats;
    }
  }
}

TEST(FastRows, APairThatStandsStillNeverNeedsExactArithmetic) {
  const vector_rows simd_rows(still_pairs, *simd::targets().front());
  row_space<float> space(32);
  for (const std::int64_t position : {std::int64_t{1}, std::int64_t{-77}, largest_position}) {
    const int listed = simd_rows.rows.try_row(position, false, space.cos(), space.sin(), space.undecided());
    for (int i = 0; i < listed; ++i) EXPECT_LT(space.undecided()[i], 8);
    for (int pair = 8; pair < 32; ++pair) {
      EXPECT_EQ(space.cos()[pair], 1.0f);
      EXPECT_EQ(to_bits(space.sin()[pair]), 0u);
    }
  }
}

TEST(FastRows, FactorsBeyondTheVectorsAreServedExactly) {
  for (const double factor : {0x1p-140, 0x1p101}) {
    const rope config{
        .base = 10000,
        .rotary_dim = 16,
        .scaling = yarn{.factor = 4, .original_max_position_embeddings = 4096, .attention_factor = factor}};
    const vector_rows simd_rows(config, *simd::targets().front());
    row_space<float> space(8);
    std::vector<std::uint32_t> cos(8), sin(8);
    for (const std::int64_t position : {0, 1, 1000}) {
      simd_rows.rows.row(position, false, space.cos(), space.sin(), space.undecided());
      simd_rows.plan.rows.row<float>(position, false, cos.data(), sin.data());
      for (std::size_t pair = 0; pair < 8; ++pair) {
        EXPECT_EQ(to_bits(space.cos()[pair]), cos[pair]);
        EXPECT_EQ(to_bits(space.sin()[pair]), sin[pair]);
      }
    }
  }
}

TEST(FastRows, AWalkCountsWhichStepDecided) {
  const vector_rows simd_rows(oracle::llama_2, *simd::targets().front());
  std::vector<float> cos(4096 * 64 + simd::row_multiple), sin(cos);
  row_walk walk(simd_rows.rows);
  walk.rows({1, 4097}, false, cos.data(), sin.data());
  const decided_entries& decided = walk.decided();
  EXPECT_GT(decided.by_sum, 4000 * 64);
  EXPECT_LT(decided.by_polynomial + decided.exactly, 2 * 64) << "the first row, and rare entries";
}

}  // namespace
}  // namespace ropewalk::test
