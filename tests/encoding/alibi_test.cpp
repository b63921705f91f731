// ALiBi as exact values: against the reference, and the softmax weights of the forms of different engines.

#include "ropewalk/encoding/alibi.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "oracle/alibi_oracle.hpp"
#include "oracle/enclosure_bracket.hpp"
#include "oracle/rope_oracle.hpp"
#include "ropewalk/reference/alibi.hpp"

namespace ropewalk {
namespace {

TEST(Alibi, SlopesHoldTheReference) {
  for (int heads = 1; heads <= 80; ++heads)
    for (int head = 0; head < heads; ++head) {
      const alibi config{.heads = heads};
      const oracle::bracket truth = oracle::detail::last_place_bracket(oracle::detail::in_precision(
          512, [&] { return reference::alibi_slope<oracle::detail::boost_number>(head, config); }));
      const enclosure<4> slope = alibi_slope<4>(head, config);
      EXPECT_TRUE(oracle::contains(slope, truth)) << head << " of " << heads;
      if (!is_exact(slope)) {
        EXPECT_LT(oracle::relative_error_exponent(slope), -limb_bits * 3);
      }
      EXPECT_EQ(is_exact(slope), alibi_slope_exponent(head, config).denominator == 1);
    }
}

TEST(Alibi, BiasesHoldTheReference) {
  for (const alibi_form form : {alibi_form::causal, alibi_form::symmetric})
    for (const std::int64_t distance : {0L, 1L, -1L, 2049L, -131072L, 4294967295L})
      for (int head = 0; head < 12; ++head) {
        const alibi config{.heads = 12, .form = form};
        const oracle::bracket truth = oracle::alibi_bias_bracket(
            head, 12, form == alibi_form::symmetric && distance < 0 ? distance : -distance, 512);
        EXPECT_TRUE(oracle::contains(alibi_bias<4>(head, distance, config), truth))
            << head << ", " << distance;
      }
}

TEST(Alibi, SlopesOfTwelveHeadsAreThePublishedOnes) {
  const slope_exponent published[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1},
                                      {7, 1}, {8, 1}, {1, 2}, {3, 2}, {5, 2}, {7, 2}};
  for (int head = 0; head < 12; ++head)
    EXPECT_EQ(alibi_slope_exponent(head, {.heads = 12}), published[head]) << head;
}

TEST(Alibi, WhatIsNoHeadIsRefused) {
  EXPECT_THROW(alibi_slope<2>(0, {.heads = 0}), std::invalid_argument);
  EXPECT_THROW(alibi_slope<2>(12, {.heads = 12}), std::invalid_argument);
  EXPECT_THROW(alibi_bias<2>(-1, 5, {.heads = 12}), std::invalid_argument);
}

/// Softmax weights of the keys 0 .. last, from scores of few bits plus steps(key) x slope.
std::vector<enclosure<4>> softmax(int last, const enclosure<4>& slope,
                                  const std::function<std::int64_t(int)>& steps) {
  std::vector<enclosure<4>> weights;
  enclosure<4> sum = enclosure<4>::of(0);
  for (int key = 0; key <= last; ++key) {
    const enclosure<4> score = enclosure<4>::of(static_cast<double>((key * 37) % 11) / 8);
    weights.push_back(exp(score + slope * enclosure<4>::of(steps(key))));
    sum = sum + weights.back();
  }
  for (enclosure<4>& weight : weights) weight = weight / sum;
  return weights;
}

/// alike: all weights agree to 2^-200. apart: two weights certainly differ. open: neither is decided.
enum class likeness { alike, apart, open };
likeness compare_weights(const std::vector<enclosure<4>>& a, const std::vector<enclosure<4>>& b) {
  bool narrow = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const enclosure<4> difference = a[i] - b[i];
    if (!may_be_zero(difference)) return likeness::apart;
    narrow = narrow && magnitude_above(difference) < radius_at_least(1, -200);
  }
  return narrow ? likeness::alike : likeness::open;
}

TEST(Alibi, FormsOfBloomAndMptGiveTheSameWeightsUnderACausalMask) {
  const int length = 12;
  for (int head = 0; head < 12; ++head)
    for (int query = 0; query < length; ++query) {
      const enclosure<4> slope = alibi_slope<4>(head, {.heads = 12});
      const auto paper =
          softmax(query, slope, [&](int key) { return alibi_steps(query - key, alibi_form::causal); });
      for (const alibi_form form : {alibi_form::key, alibi_form::last_key})
        EXPECT_EQ(
            compare_weights(
                paper, softmax(query, slope, [&](int key) { return alibi_steps(query, key, length, form); })),
            likeness::alike)
            << name_of(form);
    }
}

TEST(Alibi, FormsByTheKeyCountFromTheFirstAndTheLastKey) {
  for (const std::int64_t query : {-5, 0, 3, 100}) {
    EXPECT_EQ(alibi_steps(query, 7, 9, alibi_form::key), 7);
    EXPECT_EQ(alibi_steps(query, 7, 9, alibi_form::last_key), -1);
    EXPECT_EQ(alibi_steps(query, 8, 9, alibi_form::last_key), 0);
    EXPECT_EQ(alibi_steps(query, 7, 9, alibi_form::causal), 7 - query);
    EXPECT_EQ(alibi_steps(query, 7, 9, alibi_form::symmetric), -std::abs(7 - query));
  }
}

TEST(Alibi, FormOfBloomGivesOtherWeightsThanTheSymmetricOneWithoutAMask) {
  const int length = 12;
  const enclosure<4> slope = alibi_slope<4>(8, {.heads = 12});
  for (int query = 0; query + 1 < length; ++query) {
    const auto symmetric =
        softmax(length - 1, slope, [&](int key) { return alibi_steps(query - key, alibi_form::symmetric); });
    EXPECT_EQ(compare_weights(symmetric, softmax(length - 1, slope,
                                                 [&](int key) {
                                                   return alibi_steps(query, key, length, alibi_form::key);
                                                 })),
              likeness::apart)
        << query;
  }
  const auto last = softmax(length - 1, slope,
                            [&](int key) { return alibi_steps(length - 1 - key, alibi_form::symmetric); });
  EXPECT_EQ(compare_weights(last, softmax(length - 1, slope,
                                          [&](int key) {
                                            return alibi_steps(length - 1, key, length, alibi_form::key);
                                          })),
            likeness::alike);
}

}  // namespace
}  // namespace ropewalk
