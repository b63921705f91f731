// Laws of ALiBi: they hold for the tables, and each fails on slopes or biases with the matching fault.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "law/broken_laws.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/alibi_table.hpp"

namespace ropewalk::alibi_laws_test {
namespace {

using example::names;

names broken_by_slopes(const slope_source& slopes, int heads) {
  return example::broken(slope_laws::all, checked_slopes{slopes, {.heads = heads}});
}

names broken_by_biases(const bias_source& biases, const alibi& config) {
  return example::broken(bias_laws::all, checked_biases{biases, config}, {20});
}

constexpr int head_counts[] = {1, 2, 3, 4, 6, 8, 12, 14, 16, 24, 25, 32, 40, 56, 64, 71, 96, 112, 128};

TEST(AlibiSlopeLaws, HoldForEveryHeadCount) {
  for (int heads = 1; heads <= 130; ++heads)
    EXPECT_EQ(broken_by_slopes(alibi_slopes<double>, heads), names{}) << heads;
}

TEST(AlibiLaws, HoldForTheTables) {
  const bias_source tables = [](int length, const alibi& config) {
    return alibi_biases(config).entries<double>(length, length);
  };
  for (const int heads : head_counts)
    for (const alibi_form form : {alibi_form::causal, alibi_form::symmetric})
      EXPECT_EQ(broken_by_biases(tables, {.heads = heads, .form = form}), names{}) << heads << name_of(form);
}

TEST(AlibiLaws, HaveNamesOfTheirOwn) {
  example::expect_names_of_their_own(slope_laws::all);
  example::expect_names_of_their_own(bias_laws::all);
}

/// Slopes 2^exponent(head, heads) in binary64.
slope_source slopes_by(std::function<double(int, int)> exponent) {
  return [=](const alibi& config) {
    std::vector<std::uint64_t> bits;
    for (int head = 0; head < config.heads; ++head)
      bits.push_back(to_bits(std::exp2(exponent(head, config.heads))));
    return bits;
  };
}

TEST(AlibiSlopeLaws, AnExponentOffByOneBreaksWhole) {
  const auto late = slopes_by([](int head, int heads) { return -8.0 * head / heads; });
  EXPECT_EQ(broken_by_slopes(late, 8), (names{"whole", "geometric"}));
  const auto early = slopes_by([](int head, int heads) { return -8.0 * (head + 2) / heads; });
  EXPECT_EQ(broken_by_slopes(early, 8), (names{"whole", "geometric"}));
}

TEST(AlibiSlopeLaws, TheFormulaOfPowersOfTwoForTwelveHeadsBreaksWholeAndInterlaced) {
  const auto formula = slopes_by([](int head, int heads) { return -8.0 * (head + 1) / heads; });
  const names broken = broken_by_slopes(formula, 12);
  EXPECT_TRUE(broken.contains("whole"));
  EXPECT_TRUE(broken.contains("interlaced"));
  EXPECT_EQ(broken_by_slopes(formula, 8), names{});
}

TEST(AlibiSlopeLaws, FurtherHeadsInAnotherOrderBreakInterlaced) {
  const slope_source next = [](const alibi& config) {  // slopes(2 P)[0:] in place of slopes(2 P)[0::2]
    std::vector<std::uint64_t> bits = alibi_slopes<double>({.heads = 8});
    const auto twice = alibi_slopes<double>({.heads = 16});
    for (int head = 8; head < config.heads; ++head) bits.push_back(twice[static_cast<std::size_t>(head - 8)]);
    return bits;
  };
  EXPECT_EQ(broken_by_slopes(next, 12), names{"interlaced"});
}

TEST(AlibiSlopeLaws, SlopesInReverseBreakFalling) {
  const auto reversed = slopes_by([](int head, int heads) { return -8.0 * (heads - head) / heads; });
  EXPECT_TRUE(broken_by_slopes(reversed, 8).contains("falling"));
}

TEST(AlibiSlopeLaws, RepeatedMultiplicationInBinary32BreaksGeometric) {
  const slope_source repeated = [](const alibi& config) {
    std::vector<std::uint64_t> bits;
    const auto first = static_cast<float>(std::exp2(-8.0 / config.heads));
    float slope = first;
    for (int head = 0; head < config.heads; ++head, slope *= first)
      bits.push_back(to_bits(static_cast<double>(slope)));
    return bits;
  };
  EXPECT_TRUE(broken_by_slopes(repeated, 16).contains("geometric"));
  EXPECT_TRUE(broken_by_slopes(repeated, 16).contains("whole"));
  EXPECT_EQ(broken_by_slopes(repeated, 8), names{});  // powers of two come out exact
}

TEST(AlibiSlopeLaws, WhatIsNoSlopeBreaksAll) {
  for (const double bad : {0.0, -0.5, HUGE_VAL, std::nan("")}) {
    const slope_source slopes = [=](const alibi& config) {
      return std::vector<std::uint64_t>(static_cast<std::size_t>(config.heads), to_bits(bad));
    };
    EXPECT_EQ(broken_by_slopes(slopes, 12).size(), slope_laws::all.size()) << bad;
  }
  const slope_source short_table = [](const alibi&) { return std::vector<std::uint64_t>(3); };
  EXPECT_THROW(slope_laws::whole.measure({short_table, {.heads = 12}}, {}), std::invalid_argument);
}

/// Biases steps(query, key, length) x slope, rounded once.
bias_source biases_by(std::function<std::int64_t(int, int, int)> steps) {
  return [=](int length, const alibi& config) {
    const alibi_biases exact(alibi{.heads = config.heads});
    std::vector<std::uint64_t> bits;
    for (int head = 0; head < config.heads; ++head)
      for (int query = 0; query < length; ++query)
        for (int key = 0; key < length; ++key)
          bits.push_back(exact.entry<double>(head, -steps(query, key, length)));
    return bits;
  };
}

constexpr alibi causal{.heads = 12}, symmetric{.heads = 12, .form = alibi_form::symmetric};

auto steps_of(alibi_form form) {
  return [=](int query, int key, int length) { return alibi_steps(query, key, length, form); };
}

TEST(AlibiLaws, EachFormKeepsItsLawsAndBreaksThoseOfOthers) {
  for (const alibi_form form : alibi_forms)
    for (const alibi_form judged : alibi_forms) {
      const names broken = broken_by_biases(biases_by(steps_of(form)), {.heads = 12, .form = judged});
      // A causal mask hides the keys in which the symmetric form differs from the causal one.
      const bool is_masked = form == alibi_form::symmetric && judged == alibi_form::causal;
      EXPECT_EQ(broken.empty(), form == judged || is_masked) << name_of(form) << " for " << name_of(judged);
      if (is_by_key(form) && is_by_key(judged) && form != judged) {
        EXPECT_EQ(broken, names{"diagonal"});
      }
    }
}

TEST(AlibiLaws, FormsOfBloomAndMptKeepTheRowUnderACausalMask) {
  const auto bloom = biases_by(steps_of(alibi_form::key));
  const auto mpt = biases_by(steps_of(alibi_form::last_key));
  EXPECT_EQ(broken_by_biases(bloom, causal), (names{"diagonal", "toeplitz"}));
  EXPECT_EQ(broken_by_biases(mpt, causal), (names{"diagonal", "toeplitz"}));
}

TEST(AlibiLaws, FormsOfBloomAndMptBreakTheRowWithoutAMask) {
  const auto bloom = biases_by(steps_of(alibi_form::key));
  const auto mpt = biases_by(steps_of(alibi_form::last_key));
  EXPECT_EQ(broken_by_biases(bloom, symmetric),
            (names{"diagonal", "toeplitz", "farther-is-less", "mirrored", "row"}));
  EXPECT_TRUE(broken_by_biases(mpt, symmetric).contains("row"));
}

TEST(AlibiLaws, ABonusForDistanceBreaksFartherIsLess) {
  const auto rewarded = biases_by([](int query, int key, int) { return std::abs(query - key); });
  EXPECT_EQ(broken_by_biases(rewarded, symmetric), (names{"farther-is-less", "row"}));
}

TEST(AlibiLaws, TheCausalFormWithoutAMaskIsNotMirrored) {
  const auto unmasked = biases_by([](int query, int key, int) { return std::int64_t{key} - query; });
  EXPECT_EQ(broken_by_biases(unmasked, causal), names{});
  EXPECT_EQ(broken_by_biases(unmasked, symmetric), (names{"farther-is-less", "mirrored", "row"}));
}

TEST(AlibiLaws, ASquaredDistanceBreaksTheRow) {
  const auto squared =
      biases_by([](int query, int key, int) { return -std::int64_t{query - key} * (query - key); });
  EXPECT_EQ(broken_by_biases(squared, symmetric), names{"row"});
}

TEST(AlibiLaws, SlopesOfTheNeighbourHeadBreakTheRow) {
  const bias_source shifted = [](int length, const alibi& config) {
    std::vector<std::uint64_t> bits = alibi_biases(config).entries<double>(length, length);
    const auto plane = static_cast<std::ptrdiff_t>(length) * length;
    std::rotate(bits.begin(), bits.begin() + plane, bits.end());
    return bits;
  };
  EXPECT_EQ(broken_by_biases(shifted, symmetric), names{"row"});
}

TEST(AlibiLaws, WhatIsNoBiasBreaksAll) {
  for (const double bad : {-HUGE_VAL, std::nan("")}) {
    const bias_source biases = [=](int length, const alibi& config) {
      return std::vector<std::uint64_t>(static_cast<std::size_t>(config.heads * length * length),
                                        to_bits(bad));
    };
    EXPECT_EQ(broken_by_biases(biases, symmetric).size(), bias_laws::all.size()) << bad;
  }
  const bias_source short_table = [](int, const alibi&) { return std::vector<std::uint64_t>(3); };
  EXPECT_THROW(bias_laws::diagonal.measure({short_table, causal}, {4}), std::invalid_argument);
  EXPECT_THROW(bias_laws::diagonal.measure({short_table, causal}, {0}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::alibi_laws_test
