// Attention as exact values: literal scores and weights, masks, scores far apart, positions, refusals.

#include "ropewalk/encoding/attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "encoding/attention_case.hpp"
#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/measure/long_term_decay.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::test {
namespace {

double nearest(const real& x) {
  const auto result = round<double>(x);
  EXPECT_TRUE(result.decided);
  return from_bits<double>(result.bits);
}

matrix<real> exact(int rows, int columns, std::vector<double> entries) {
  return enclosed<limb_count>(matrix<double>(rows, columns, std::move(entries)));
}

bool is(const real& x, double value) { return compare(x, real::of(value)) == order::equal; }

const attention_mask causal{.keys = visible_keys::causal};

TEST(Attention, ScoresAreProductsOverTheRootOfTheChannels) {
  const auto scores = attention_scores(exact(1, 4, {1, 2, 3, 4}), exact(2, 4, {1, 1, 1, 1, 0, 0, 0, -1}));
  EXPECT_TRUE(is(scores.at(0, 0), 5));  // 10 / sqrt 4
  EXPECT_TRUE(is(scores.at(0, 1), -2));
  const auto irrational = attention_scores(exact(1, 2, {1, 1}), exact(1, 2, {1, 0}));
  EXPECT_EQ(nearest(irrational.at(0, 0)), std::numbers::sqrt2 / 2);
}

TEST(Attention, EqualScoresHaveEqualWeights) {
  const auto four = attention_weights(exact(1, 4, {7, 7, 7, 7}), {});
  for (int key = 0; key < 4; ++key) EXPECT_TRUE(is(four.at(0, key), 0.25));
  const auto three = attention_weights(exact(1, 3, {0.1, 0.1, 0.1}), {});
  EXPECT_EQ(nearest(three.at(0, 2)), 1.0 / 3);
}

TEST(Attention, WeightsAreThoseOfTheSoftmax) {
  const auto weights = attention_weights(exact(1, 2, {0, 1}), {});
  EXPECT_EQ(nearest(weights.at(0, 0)), 0.2689414213699951);  // 1 / (1 + e)
  EXPECT_EQ(nearest(weights.at(0, 1)), 0.7310585786300049);
}

TEST(Attention, ACausalMaskLeavesTheKeysUpToTheQuery) {
  const auto weights = attention_weights(matrix<real>(3, 3), causal);
  EXPECT_TRUE(is(weights.at(0, 0), 1));
  EXPECT_TRUE(is(weights.at(0, 1), 0));
  EXPECT_TRUE(is(weights.at(1, 1), 0.5));
  EXPECT_TRUE(is(weights.at(1, 2), 0));
  EXPECT_EQ(nearest(weights.at(2, 2)), 1.0 / 3);
}

TEST(Attention, KeysOfTheMemoryAreSeenByEveryQuery) {
  const auto weights =
      attention_weights(matrix<real>(2, 4), {.keys = visible_keys::causal, .memory_length = 2});
  EXPECT_EQ(nearest(weights.at(0, 2)), 1.0 / 3);
  EXPECT_TRUE(is(weights.at(0, 3), 0));
  EXPECT_TRUE(is(weights.at(1, 0), 0.25));
}

TEST(Attention, ScoresFarApartLeaveOneKey) {
  for (const double apart : {1e6, 1e15, 1e300}) {
    const auto weights = attention_weights(exact(1, 2, {-apart, apart}), {});
    EXPECT_EQ(nearest(weights.at(0, 1)), 1) << apart;
    EXPECT_LT(magnitude_above(weights.at(0, 0)), (radius{std::uint32_t{1} << 31, -100000})) << apart;
  }
}

TEST(Attention, ANumberAddedToAllScoresOfARowChangesNoWeight) {
  const auto scores = exact(2, 3, {1, -2, 0.5, 3, 3, -1}), more = exact(2, 3, {7, 7, 7, -9, -9, -9});
  const auto before = attention_weights(scores, {}), after = attention_weights(scores + more, {});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_TRUE(may_be_zero(before.at(i, j) - after.at(i, j)));
}

TEST(Attention, OutputsAreWeighedValues) {
  const auto result = attention(matrix<real>(1, 1), matrix<real>(2, 1), exact(2, 3, {1, 2, -8, 3, 4, 8}));
  EXPECT_TRUE(is(result.outputs.at(0, 0), 2));
  EXPECT_TRUE(is(result.outputs.at(0, 1), 3));
  EXPECT_TRUE(is(result.outputs.at(0, 2), 0));
}

TEST(Attention, RefusesWhatDoesNotFit) {
  EXPECT_NE(refusal_of([] { attention_scores(matrix<real>(1, 2), matrix<real>(1, 3)); }).find("length is 3"),
            std::string::npos);
  EXPECT_EQ(refusal_of([] { attention_scores(matrix<real>(1, 0), matrix<real>(1, 0)); }),
            "channels is 0; allowed: a number above 0");
  EXPECT_NE(refusal_of([] { attention(matrix<real>(1, 1), matrix<real>(2, 1), matrix<real>(3, 1)); }), "");
  EXPECT_EQ(refusal_of([] { attention_weights(matrix<real>(1, 0), {}); }),
            "keys visible to a query is 0; allowed: a number above 0");
  EXPECT_EQ(refusal_of([] { attention_weights(matrix<real>(1, 1), {.memory_length = -1}); }),
            "memory_length is -1; allowed: a number from 0 up");
  EXPECT_NE(refusal_of([] { matrix<double>(2, 2, {1, 2, 3}); }), "");
  EXPECT_NE(refusal_of([] { matrix<double>(2, 2).at(2, 0); }), "");
  EXPECT_NE(refusal_of([] { matrix<double>(-1, 2); }), "");
}

TEST(AttentionPositions, ARowTurnsByItsPosition) {
  const std::vector<double> positions{2};
  const rope config{.base = 100, .rotary_dim = 4};
  const auto row = exact(1, 5, {1, 0, 1, 0, 9});
  const auto turned = rotated_rows(row, positions, config);
  const double expected[] = {-0.4161468365471424, 0.9092974268256817, 0.9800665778412416, 0.19866933079506122,
                             9};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(nearest(turned.at(0, i)), expected[i]) << i;
  const auto halves = rotated_rows(exact(1, 5, {1, 1, 0, 0, 9}), positions, config, pairing::half_split);
  const int moved_to[] = {0, 2, 1, 3, 4};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(nearest(halves.at(0, moved_to[i])), expected[i]) << i;
}

TEST(AttentionPositions, SinusoidsAreAdded) {
  const std::vector<double> positions{1};
  const auto sum = with_sinusoids(exact(1, 2, {1, -1}), positions, {.d_model = 2});
  EXPECT_EQ(nearest(sum.at(0, 0)), 1.8414709848078965);
  EXPECT_EQ(nearest(sum.at(0, 1)), -0.4596976941318603);
}

TEST(AttentionPositions, LinearBiasesFallWithDistance) {
  const std::vector<double> positions{0, 1.5, 4};
  const auto one_sided = linear_biases<limb_count>(positions, positions, 0, {.heads = 8});
  EXPECT_TRUE(is(one_sided.at(2, 0), -2));
  EXPECT_TRUE(is(one_sided.at(0, 1), 0.75));
  const auto both =
      linear_biases<limb_count>(positions, positions, 0, {.heads = 8, .form = alibi_form::symmetric});
  EXPECT_TRUE(is(both.at(0, 1), -0.75));
}

TEST(AttentionPositions, RefuseWhatDoesNotFit) {
  const std::vector<double> numbers{0}, endless{std::nan("")};
  const rope config{.base = 100, .rotary_dim = 4};
  EXPECT_NE(refusal_of([&] { rotated_rows(matrix<real>(2, 4), numbers, config); }), "");
  EXPECT_NE(refusal_of([&] { rotated_rows(matrix<real>(1, 3), numbers, config); }), "");
  EXPECT_NE(refusal_of([&] { rotated_rows(matrix<real>(1, 4), endless, config); }), "");
  EXPECT_NE(refusal_of([&] { with_sinusoids(matrix<real>(1, 4), numbers, {.d_model = 2}); }), "");
  EXPECT_NE(refusal_of([&] { linear_biases<limb_count>(numbers, numbers, 8, {.heads = 8}); }), "");
  EXPECT_NE(refusal_of([&] { linear_biases<limb_count>(numbers, endless, 0, {.heads = 8}); }), "");
}

constexpr rope llama_2{.base = 10000, .rotary_dim = 128};

TEST(LongTermDecay, BeginsAtTheMeanOfOneToAllPairs) {
  EXPECT_TRUE(is(long_term_decay<limb_count>(0, llama_2), 32.5));
  EXPECT_TRUE(is(long_term_decay<limb_count>(0, {.base = 100, .rotary_dim = 2}), 1));
}

TEST(LongTermDecay, IsTheSameForwardAndBackward) {
  for (const double distance : {1.0, 17.0, 4096.0})
    EXPECT_TRUE(may_be_zero(long_term_decay<limb_count>(distance, llama_2) -
                            long_term_decay<limb_count>(-distance, llama_2)));
}

TEST(LongTermDecay, FallsOnTheWholeAndNotFromEachDistanceToTheNext) {
  const auto at = [](double distance) { return long_term_decay<2>(distance, llama_2); };
  for (int distance = 1; distance <= 18; ++distance)
    EXPECT_EQ(compare(at(distance), at(distance - 1)), order::less) << distance;
  EXPECT_EQ(compare(at(19), at(18)), order::greater);
  for (int distance = 1; distance <= 2048; distance *= 2)
    EXPECT_EQ(compare(at(distance), at(distance / 2)), order::less) << distance;
  EXPECT_EQ(compare(at(1e6), at(256)), order::greater);
}

TEST(LongTermDecay, BoundsScores) {
  const rope config{.base = 10000, .rotary_dim = 8};
  const auto query = exact(1, 8, {1, -2, 0.5, 1, 2, 2, -1, 0.25}),
             key = exact(1, 8, {2, 1, -1, 1, 0.5, -2, 1, 1});
  const std::vector<double> origin{0};
  real steepest = real::of(0), before[2] = {real::of(0), real::of(0)};  // h_4 = 0
  for (int pair = 3; pair >= 0; --pair) {
    const real a = query.at(0, 2 * pair), b = query.at(0, 2 * pair + 1), c = key.at(0, 2 * pair),
               d = key.at(0, 2 * pair + 1);
    const real h[2] = {a * c + b * d, b * c - a * d};
    const real step = (h[0] - before[0]) * (h[0] - before[0]) + (h[1] - before[1]) * (h[1] - before[1]);
    if (compare(step, steepest) == order::greater) steepest = step;
    before[0] = h[0], before[1] = h[1];
  }
  for (double distance = 0; distance < 200; ++distance) {
    const std::vector<double> far{distance};
    const real score = dot(rotated_rows(query, far, config).row(0), key.row(0));
    const real bound = square_root(steepest) * real::of(4) * long_term_decay<limb_count>(distance, config);
    EXPECT_EQ(compare(absolute(score), bound), order::less) << distance;
  }
}

}  // namespace
}  // namespace ropewalk::test
