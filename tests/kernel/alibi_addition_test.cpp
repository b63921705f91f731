// cpu-alibi-add and exact-alibi-add against the mirror, bit for bit.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernel/addition_case.hpp"
#include "kernel/addition_targets.hpp"
#include "kernel/kernel_test_name.hpp"
#include "kernel/kernels.hpp"
#include "kernel/simd/simd.hpp"
#include "ropewalk/kernel/bias_plan.hpp"

namespace ropewalk::test {
namespace {

class CpuAlibiAdd : public testing::TestWithParam<ropewalk_kernel> {
 protected:
  static void expect_canonical(const alibi& config, const rotation_case& rotation) {
    std::mt19937_64 random(3);
    const tensors in = random_tensors(rotation, random);
    expect_sums(GetParam(), resolved_alibi(config), rotation, canonical_sums(config, rotation, in), in);
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, CpuAlibiAdd, testing::ValuesIn(addition_targets("cpu-alibi-add")),
                         test_name);

TEST_P(CpuAlibiAdd, GivesTheMirrorsBitsForHeadsOfAnyNumber) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const alibi_form form : alibi_forms)
      for (const int heads : {1, 2, 8, 12, 16, 112})
        expect_canonical({.heads = heads, .form = form}, shape(dtype, 21, 3, heads));
}

TEST_P(CpuAlibiAdd, QueriesFarApartAndFarAwayHaveTheirOwnEntries) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const alibi_form form : alibi_forms) {
      rotation_case rotation = shape(dtype, 9, 6, 3);
      rotation.positions = {0,
                            16777217,
                            33554435,
                            std::numeric_limits<std::int32_t>::max(),
                            std::numeric_limits<std::int32_t>::min(),
                            -5};
      expect_canonical({.heads = 3, .form = form}, rotation);
    }
}

TEST_P(CpuAlibiAdd, QueriesInStretchesOfEveryLengthShareEntries) {
  std::mt19937_64 random(5);
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const std::int64_t keys : {1, 7, 33}) {
      rotation_case rotation = shape(dtype, static_cast<int>(keys), 300, 2);
      std::int32_t position = 40;
      for (std::int64_t i = 0; i < rotation.tokens; ++i) {
        rotation.positions.push_back(position);
        const auto drawn = random() % 8;  // on by one, the same again, near, or far
        if (drawn == 6) position = static_cast<std::int32_t>(random() % 60);
        if (drawn == 7) position = static_cast<std::int32_t>(random() % 100000);
        if (drawn < 5) ++position;
      }
      expect_canonical({.heads = 2}, rotation);
    }
}

TEST_P(CpuAlibiAdd, MoreQueriesThanShareEntriesAtOnce) {
  for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_BF16})
    expect_canonical({.heads = 1}, shape(dtype, 3, 9000, 1));
}

TEST_P(CpuAlibiAdd, ServesEveryNumberOfKeys) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (int keys = 1; keys <= 100; ++keys) expect_canonical({.heads = 3}, shape(dtype, keys, 2, 3));
}

TEST_P(CpuAlibiAdd, SlopesOfEverySize) {
  std::mt19937_64 random(6);
  std::vector<ropewalk_real> slopes;
  for (int exponent = -100; exponent < 100; ++exponent)
    slopes.push_back(exact_real(std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, exponent)));
  const auto heads = static_cast<std::int64_t>(slopes.size());
  ropewalk_bias_addition encoding = one_head(slopes[0]);
  encoding.heads = static_cast<std::int32_t>(heads);
  encoding.slopes = slopes.data();
  const bias_plan truth(encoding);
  const planned plan(GetParam(), encoding);
  constexpr std::int64_t keys = 40;
  // Around 0, around the ends of the integers that binary32 holds, and where the largest slopes overflow.
  for (const std::int32_t position : {20, (1 << 24) + 20, (1 << 24) - 1100, 20 - (1 << 24), 2147483647}) {
    std::vector<float> scores(static_cast<std::size_t>(heads * keys), 0.0f);
    ropewalk_bias_call call =
        in_place({scores.data(), ROPEWALK_F32, 3, {1, heads, keys}, {heads * keys, keys, 1}});
    call.tokens.positions = given_positions(&position);
    ASSERT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
    for (std::int64_t i = 0; i < heads * keys; ++i) {
      const auto entry = truth.entry<float>(static_cast<int>(i / keys), truth.reach(i % keys - position));
      ASSERT_EQ(to_bits(scores[static_cast<std::size_t>(i)]), add_entry<float>(0, entry))
          << i << ' ' << position;
    }
  }
}

TEST_P(CpuAlibiAdd, RunsLongerThanOneOfTheVectorsJoin) {
  rotation_case rotation = shape(ROPEWALK_F32, static_cast<int>(simd::most_bias_entries) * 2 + 5, 3, 5);
  rotation.positions = {2048, 2050, 7};
  expect_canonical({.heads = 5}, rotation);
}

TEST_P(CpuAlibiAdd, ServesEveryArrangementInPlaceAndNot) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const arrangement how : all_arrangements)
      for (const bool in_place : {false, true}) {
        rotation_case rotation = shape(dtype, 11, 3, 6);
        rotation.batch = 2;
        rotation.how = how;
        rotation.in_place = in_place;
        for (const alibi_form form : {alibi_form::symmetric, alibi_form::last_key})
          expect_canonical({.heads = 6, .form = form}, rotation);
      }
}

/// More keys than a block has entries, and more queries than one stretch.
TEST_P(CpuAlibiAdd, FormsByTheKeyServeBlocksOfKeysAndOfQueries) {
  for (const alibi_form form : {alibi_form::key, alibi_form::last_key}) {
    expect_canonical({.heads = 3, .form = form}, shape(ROPEWALK_F32, 5000, 3, 3));
    expect_canonical({.heads = 1, .form = form}, shape(ROPEWALK_BF16, 3, 5000, 1));
  }
}

TEST(ExactAlibiAdd, RoundsEverySumOnce) {
  const ropewalk_kernel& kernel = exact_addition_kernels()[1];
  for (const alibi_form form : alibi_forms) {
    const alibi config{.heads = 12, .form = form};
    const rotation_case rotation = shape(ROPEWALK_F32, 9, 4, 12);
    std::mt19937_64 random(6);
    const tensors in = random_tensors(rotation, random);
    const alibi_biases biases(config);
    std::vector<std::uint64_t> wanted = in.query;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto x = static_cast<std::uint32_t>(in.query[i]);
      const auto query = static_cast<std::int64_t>(i / (9 * 12));
      const int head = static_cast<int>(i / 9 % 12);
      const std::int64_t key = static_cast<std::int64_t>(i % 9);
      if (is_nan<float>(x)) wanted[i] = format<float>::quiet_nan;
      if (!is_finite<float>(x)) continue;
      const std::int64_t distance = alibi_origin(query, 9, form) - key;
      wanted[i] = round_with_enough_limbs<float>("sum", [&]<int N>() {
        return enclosure<N>::of(from_bits<float>(x)) + alibi_bias<N>(head, distance, config);
      });
    }
    expect_sums(kernel, resolved_alibi(config), rotation, wanted, in);
  }
}

TEST(AlibiAdd, RefusesAnOriginThatIsNone) {
  const resolved_alibi resolved({.heads = 2, .form = alibi_form::key});
  const auto field_of = [&](std::int64_t origin, int is_symmetric) {
    ropewalk_bias_addition encoding = resolved.view();
    encoding.origin = origin;
    encoding.is_symmetric = is_symmetric;
    const planned plan(addition_kernels()[1], encoding);
    EXPECT_EQ(plan.status == ROPEWALK_OK, plan.error.field[0] == 0);
    return std::string(plan.error.field);
  };
  EXPECT_EQ(field_of(2, 0), "");
  EXPECT_EQ(field_of(3, 0), "origin");
  EXPECT_EQ(field_of(-1, 0), "origin");
  EXPECT_EQ(field_of(std::int64_t{1} << 32, 0), "origin");
  EXPECT_EQ(field_of(1, 1), "is_symmetric");
}

TEST_P(CpuAlibiAdd, SlopesThatAreNoPowersOfTwoRoundOnce) {
  constexpr std::size_t tokens = 40, keys = 70;
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    // Slopes around (2^-6 + 2^-30) / 3, of which 3 times lies on either side of a rounding midpoint of
    // binary32; then random slopes.
    const double slope = i < 100 ? 0x1.555556aaaaaabp-8 + static_cast<double>(i - 50) * 0x1p-60
                                 : 0x1p-8 + static_cast<double>(random() >> 12) * 0x1p-60;
    const ropewalk_real real = exact_real(slope);
    const ropewalk_bias_addition encoding = one_head(real);
    const bias_plan truth(encoding);
    std::vector<float> scores(tokens * keys, 0.0f);
    const ropewalk_bias_call call =
        in_place({scores.data(), ROPEWALK_F32, 3, {tokens, 1, keys}, {keys, keys, 1}});
    const planned plan(GetParam(), encoding);
    ASSERT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
    for (std::size_t query = 0; query < tokens; ++query)
      for (std::size_t key = 0; key < keys; ++key) {
        const auto entry = truth.entry<float>(
            0, truth.reach(static_cast<std::int64_t>(key) - static_cast<std::int64_t>(query)));
        ASSERT_EQ(to_bits(scores[query * keys + key]), add_entry<float>(0, entry))
            << slope << ' ' << query << ' ' << key;
      }
  }
}

/// 2^-1 + 2^-54 is a rounding midpoint of binary64, and a slope of 256 bits stands for every real number that
/// rounds to it.
TEST_P(CpuAlibiAdd, SaysWhichSlopeDoesNotDecide) {
  ropewalk_real middle = exact_real(0.5);
  middle.significand[6] = 1u << 10;
  const planned plan(GetParam(), one_head(middle));
  double score = 0;
  const std::int32_t position = 1;
  ropewalk_bias_call call = in_place({&score, ROPEWALK_F64, 3, {1, 1, 1}, {1, 1, 1}});
  call.tokens.positions = given_positions(&position);
  EXPECT_EQ(plan.apply(call), ROPEWALK_UNDECIDED);
  EXPECT_STREQ(plan.error.field, "slopes[0]");
}

TEST_P(CpuAlibiAdd, NoTokenIsNoWork) {
  const resolved_alibi four({.heads = 4});
  const planned plan(GetParam(), four.view());
  float nothing = 0;
  constexpr std::int64_t keys = std::int64_t{1} << 40;
  const ropewalk_bias_call call = in_place({&nothing, ROPEWALK_F32, 3, {0, 4, keys}, {4 * keys, keys, 1}});
  EXPECT_EQ(plan.apply(call), ROPEWALK_OK) << plan.error.text;
}

TEST_P(CpuAlibiAdd, AnswersBadCallsAndBadSlopes) {
  const rotation_case rotation = shape(ROPEWALK_F32, 8, 2, 3);
  std::mt19937_64 random(4);
  laid_out memory(rotation, random_tensors(rotation, random));
  const resolved_alibi four({.heads = 4});
  const planned plan(GetParam(), four.view());
  ropewalk_bias_addition encoding = four.view();
  EXPECT_EQ(plan.apply(call_for(encoding, memory)), ROPEWALK_INVALID_ARGUMENT);
  EXPECT_STREQ(plan.error.field, "scores_in.shape[2]");
  encoding.heads = 0;
  EXPECT_STREQ(planned(GetParam(), encoding).error.field, "heads");
  encoding = four.view();
  encoding.slopes = nullptr;
  EXPECT_STREQ(planned(GetParam(), encoding).error.field, "slopes");
  const ropewalk_real zero{};
  encoding.heads = 1;
  encoding.slopes = &zero;
  EXPECT_STREQ(planned(GetParam(), encoding).error.field, "slopes[0]");
  for (const int exponent : {-357, -356, -156, -155}) {
    ropewalk_real slope = four.view().slopes[0];
    slope.exponent = exponent;
    encoding.slopes = &slope;
    const bool is_allowed = exponent == -356 || exponent == -156;
    EXPECT_EQ(planned(GetParam(), encoding).status, is_allowed ? ROPEWALK_OK : ROPEWALK_INVALID_ARGUMENT)
        << exponent;
  }
}

}  // namespace
}  // namespace ropewalk::test
