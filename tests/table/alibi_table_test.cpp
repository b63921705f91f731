// ALiBi's slopes and biases: computed at compile time, at run time, and by MPFR.

#include "ropewalk/table/alibi_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "oracle/alibi_oracle.hpp"

namespace ropewalk {
namespace {

template <class Float>
class AlibiTable : public testing::Test {};
using formats = testing::Types<double, float, binary16, bfloat16>;
TYPED_TEST_SUITE(AlibiTable, formats);

TEST(AlibiTable, SlopesOfEveryHeadCountAreCorrectlyRounded) {
  for (int heads = 1; heads <= 130; ++heads) {
    const alibi config{.heads = heads};
    const auto f64 = alibi_slopes<double>(config);
    const auto f32 = alibi_slopes<float>(config);
    const auto f16 = alibi_slopes<binary16>(config);
    const auto bf16 = alibi_slopes<bfloat16>(config);
    for (std::size_t head = 0; head < f64.size(); ++head)
      ASSERT_EQ((oracle::four_roundings{f64[head], f32[head], f16[head], bf16[head]}),
                oracle::alibi_bias_in_all_formats(static_cast<int>(head), heads, 1))
          << "head " << head << " of " << heads;
  }
}

template <floating_format Float, int Heads>
void expect_compiler_and_run_time_to_agree() {
  constexpr auto made_by_compiler = alibi_slope_table<Float, alibi{.heads = Heads}>;
  const auto at_run_time = alibi_slopes<Float>({.heads = Heads});
  ASSERT_EQ(at_run_time.size(), made_by_compiler.size());
  for (std::size_t head = 0; head < at_run_time.size(); ++head)
    EXPECT_EQ(to_bits(made_by_compiler[head]), at_run_time[head]) << head;
}

TYPED_TEST(AlibiTable, CompilerAndRunTimeAgree) {
  expect_compiler_and_run_time_to_agree<TypeParam, 1>();
  expect_compiler_and_run_time_to_agree<TypeParam, 12>();
  expect_compiler_and_run_time_to_agree<TypeParam, 40>();   // Baichuan 13B
  expect_compiler_and_run_time_to_agree<TypeParam, 112>();  // BLOOM
}

std::vector<std::int64_t> sampled_distances() {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> distances;
  for (int k = 0; k <= 32; ++k)
    for (const std::int64_t nudge : {-1, 0, 1}) distances.push_back((std::int64_t{1} << k) + nudge);
  for (int i = 0; i < 40; ++i) distances.push_back(static_cast<std::int64_t>(random() % 131072));
  for (int i = 0; i < 20; ++i) distances.push_back(static_cast<std::int64_t>(random() >> 32));
  return distances;
}

TEST(AlibiTable, BiasesAreCorrectlyRounded) {
  for (const int heads : {1, 3, 8, 12, 16, 40, 71, 112}) {
    const alibi_biases causal(alibi{.heads = heads}),
        symmetric(alibi{.heads = heads, .form = alibi_form::symmetric});
    const auto entry_of = [](const alibi_biases& biases, int head, std::int64_t distance) {
      return oracle::four_roundings{biases.entry<double>(head, distance), biases.entry<float>(head, distance),
                                    biases.entry<binary16>(head, distance),
                                    biases.entry<bfloat16>(head, distance)};
    };
    for (const std::int64_t distance : sampled_distances())
      for (int head = 0; head < heads; head += 1 + heads / 9) {
        const auto behind = oracle::alibi_bias_in_all_formats(head, heads, -distance);
        ASSERT_EQ(entry_of(causal, head, distance), behind) << head << " of " << heads << ", " << distance;
        ASSERT_EQ(entry_of(symmetric, head, distance), behind) << head << " of " << heads << ", " << distance;
        ASSERT_EQ(entry_of(symmetric, head, -distance), behind)
            << head << " of " << heads << ", " << distance;
        ASSERT_EQ(entry_of(causal, head, -distance), oracle::alibi_bias_in_all_formats(head, heads, distance))
            << head << " of " << heads << ", " << distance;
      }
  }
}

TYPED_TEST(AlibiTable, BiasAtDistanceZeroIsPositiveZero) {
  for (const alibi_form form : alibi_forms) {
    const alibi_biases biases(alibi{.heads = 12, .form = form});
    for (int head = 0; head < 12; ++head) EXPECT_EQ(biases.entry<TypeParam>(head, 0), 0);
  }
}

TEST(AlibiTable, TiesGoToEven) {
  const alibi_biases biases(alibi{.heads = 8});
  EXPECT_EQ(biases.entry<binary16>(0, 2049), 0xe400);  // 1024.5 -> 1024
  EXPECT_EQ(biases.entry<binary16>(0, 2051), 0xe402);  // 1025.5 -> 1026
  EXPECT_EQ(biases.entry<float>(7, (1 << 24) + 1), to_bits(-0x1p16F));
  EXPECT_EQ(biases.entry<float>(7, (1 << 24) + 3), to_bits(-0x1.000004p16F));
}

TEST(AlibiTable, Binary16RunsOutOfNumbersAndBinary32DoesNot) {
  const alibi_biases biases(alibi{.heads = 8});
  EXPECT_EQ(biases.entry<binary16>(0, 131039), 0xfbff);  // 65519.5 -> 65504, the largest
  EXPECT_EQ(biases.entry<binary16>(0, 131040), 0xfc00);  // 65520 -> infinity
  EXPECT_TRUE(is_finite<float>(biases.entry<float>(0, std::int64_t{1} << 32)));
}

TEST(AlibiTable, SlopesOfTwelveHeadsAreThePublishedOnes) {
  constexpr auto table = alibi_slope_table<float, alibi{.heads = 12}>;
  for (std::size_t head = 0; head < 8; ++head) EXPECT_EQ(table[head], 1.0F / static_cast<float>(2 << head));
  EXPECT_EQ(table[8], 0.707106781F);
  EXPECT_EQ(table[9], 0.353553391F);
  EXPECT_EQ(table[10], 0.176776695F);
  EXPECT_EQ(table[11], 0.088388348F);
}

TEST(AlibiTable, BiasOfThreePositionsAndTwoHeads) {
  // Slopes 2^-4 and 2^-8.
  const std::vector<float> symmetric = {0, -0x1p-4F, -0x1p-3F, -0x1p-4F, 0, -0x1p-4F, -0x1p-3F, -0x1p-4F, 0,
                                        0, -0x1p-8F, -0x1p-7F, -0x1p-8F, 0, -0x1p-8F, -0x1p-7F, -0x1p-8F, 0};
  EXPECT_EQ(alibi_bias(3, 2), symmetric);
  const std::vector<float> causal = alibi_bias(3, 2, alibi_form::causal);
  for (std::size_t query = 0; query < 3; ++query)
    for (std::size_t key = 0; key < 3; ++key)
      EXPECT_EQ(causal[3 * query + key],
                key > query ? -symmetric[3 * query + key] : symmetric[3 * query + key]);
}

TEST(AlibiTable, FormsByTheKeyHaveOneRowForAllQueries) {
  for (const alibi_form form : {alibi_form::key, alibi_form::last_key}) {
    const std::vector<float> bias = alibi_bias(3, 2, form);
    const float last = form == alibi_form::key ? 0 : 2;  // steps from the form's origin
    for (std::size_t row = 0; row < 6; ++row)
      for (std::size_t key = 0; key < 3; ++key)
        EXPECT_EQ(bias[3 * row + key], (row < 3 ? 0x1p-4F : 0x1p-8F) * (static_cast<float>(key) - last));
    const alibi_biases biases(alibi{.heads = 2, .form = form});
    const auto first = biases.entries<double>(1, 5), two = biases.entries<double>(2, 5);
    EXPECT_TRUE(std::equal(first.begin(), first.begin() + 5, two.begin() + 5));
    EXPECT_EQ(first[3], biases.entry<double>(0, 77, 3, 5));
  }
}

TEST(AlibiTable, QueriesAfterACacheHaveTheLastRowsOfTheWhole) {
  const alibi_biases biases(alibi{.heads = 3});
  const auto whole = biases.entries<float>(9, 9), decoded_last = biases.entries<float>(2, 9);
  ASSERT_EQ(decoded_last.size(), 3U * 2 * 9);
  for (std::size_t head = 0; head < 3; ++head)
    for (std::size_t i = 0; i < 2 * 9; ++i)
      EXPECT_EQ(decoded_last[head * 18 + i], whole[head * 81 + 63 + i]) << head << " " << i;
}

TEST(AlibiTable, TheLargestHeadCountIsServed) {
  const alibi config{.heads = largest_head_count};
  const auto slopes = alibi_slopes<double>(config);
  ASSERT_EQ(slopes.size(), 65536U);
  EXPECT_EQ(slopes.back(), to_bits(0x1p-8));
  EXPECT_EQ(slopes[8191], to_bits(0.5));
  for (std::size_t head = 1; head < slopes.size(); ++head) ASSERT_LT(slopes[head], slopes[head - 1]) << head;
  for (const int head : {0, 1, 4095, 40001})
    EXPECT_EQ(slopes[static_cast<std::size_t>(head)],
              oracle::alibi_bias_in_all_formats(head, largest_head_count, 1).in<double>());
}

TEST(AlibiTable, WhatIsNoConfigurationIsRefused) {
  EXPECT_THROW(alibi_slopes<float>({.heads = 0}), std::invalid_argument);
  EXPECT_THROW(alibi_slopes<float>({.heads = -8}), std::invalid_argument);
  EXPECT_THROW(alibi_biases(alibi{.heads = 65537}), std::invalid_argument);
  EXPECT_THROW(alibi_biases(alibi{.heads = 8, .form = static_cast<alibi_form>(4)}), std::invalid_argument);
  EXPECT_THROW(alibi_bias(0, 8), std::invalid_argument);
  EXPECT_THROW(alibi_bias(8, 0), std::invalid_argument);
  const alibi_biases biases(alibi{.heads = 8});
  EXPECT_THROW(biases.entry<float>(8, 1), std::invalid_argument);
  EXPECT_THROW(biases.entry<float>(-1, 1), std::invalid_argument);
  EXPECT_THROW(biases.entries<float>(0, 4), std::invalid_argument);
  EXPECT_THROW(biases.entries<float>(5, 4), std::invalid_argument);
  try {
    alibi_bias(4, 0);
  } catch (const std::invalid_argument& refusal) {
    EXPECT_STREQ(refusal.what(), "heads is 0; allowed: a number from 1 to 65536");
  }
}

}  // namespace
}  // namespace ropewalk
