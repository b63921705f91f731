// The code example of the documents, call by call: sinusoidal_encoding, rotary_embedding, apply_rope,
// alibi_bias.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "ropewalk/ropewalk.hpp"

namespace ropewalk::test {
namespace {

constexpr int seq_len = 100, d_model = 64, num_heads = 8;

std::vector<float> random_vectors(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> vectors(seq_len * d_model);
  for (float& x : vectors) x = normal(random);
  return vectors;
}

std::vector<std::int32_t> positions_from(std::int32_t first) {
  std::vector<std::int32_t> positions(seq_len);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

/// Q @ K.T / sqrt(d_k).
std::vector<double> scores_of(const std::vector<float>& q, const std::vector<float>& k) {
  std::vector<double> scores(seq_len * seq_len);
  for (std::size_t i = 0; i < seq_len; ++i)
    for (std::size_t j = 0; j < seq_len; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < d_model; ++c)
        sum += static_cast<double>(q[i * d_model + c]) * static_cast<double>(k[j * d_model + c]);
      scores[i * seq_len + j] = sum / std::sqrt(d_model);
    }
  return scores;
}

TEST(DocumentExample, SinusoidalEncodingIsAddedToTokens) {
  std::vector<float> x = random_vectors(1);
  const std::vector<float> before = x, pos_enc = sinusoidal_encoding(seq_len, d_model);
  ASSERT_EQ(pos_enc.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + pos_enc[i];
  EXPECT_EQ(pos_enc[0], 0);                     // sin 0
  EXPECT_EQ(pos_enc[1], 1);                     // cos 0
  EXPECT_EQ(pos_enc[d_model], 0x1.aed548p-1f);  // sin 1
  EXPECT_NE(x, before);
}

TEST(DocumentExample, ScoresOfRotatedQueriesAndKeysDependOnTheDistanceAlone) {
  const std::vector<float> q = random_vectors(2), k = random_vectors(3);
  const auto near = positions_from(0), far = positions_from(100000);
  const auto scores = scores_of(apply_rope(q, near, d_model), apply_rope(k, near, d_model));
  const auto moved = scores_of(apply_rope(q, far, d_model), apply_rope(k, far, d_model));
  const pair_bound bound = score_difference_bound(accuracy_bound<float>(promise::canonical, 1, 0));
  const auto norm = [](const std::vector<float>& v, std::size_t row) {
    double sum = 0;
    for (std::size_t c = 0; c < d_model; ++c) sum += std::pow(static_cast<double>(v[row * d_model + c]), 2);
    return std::sqrt(sum);
  };
  for (std::size_t i = 0; i < seq_len; ++i)
    for (std::size_t j = 0; j < seq_len; ++j) {
      // The error of a binary64 sum of 64 exact products is far below the slack of the bound.
      EXPECT_LE(std::abs(scores[i * seq_len + j] - moved[i * seq_len + j]) * std::sqrt(d_model),
                bound.relative * norm(q, i) * norm(k, j) + d_model * bound.absolute);
    }
  EXPECT_NE(scores, scores_of(q, k));
}

TEST(DocumentExample, RotaryEmbeddingIsWhatApplyRopeTurnsBy) {
  const cos_sin_rows rows = rotary_embedding(seq_len, {.rotary_dim = d_model});
  ASSERT_EQ(rows.cos.size(), seq_len * d_model / 2u);
  std::vector<float> units(seq_len * d_model, 0);
  for (std::size_t i = 0; i < units.size(); i += 2) units[i] = 1;  // (1, 0) in every pair
  const std::vector<float> turned = apply_rope(units, positions_from(0), d_model);
  for (std::size_t i = 0; i < rows.cos.size(); ++i) {
    EXPECT_EQ(turned[2 * i], rows.cos[i]);
    EXPECT_EQ(turned[2 * i + 1], rows.sin[i]);
  }
}

TEST(DocumentExample, AlibiBiasIsAddedToScores) {
  const std::vector<double> scores = scores_of(random_vectors(4), random_vectors(5));
  const std::vector<float> bias = alibi_bias(seq_len, num_heads);
  ASSERT_EQ(bias.size(), static_cast<std::size_t>(num_heads) * scores.size());
  for (std::size_t head = 0; head < num_heads; ++head)
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto query = static_cast<double>(i / seq_len), key = static_cast<double>(i % seq_len);
      const double biased = scores[i] + static_cast<double>(bias[head * scores.size() + i]);
      EXPECT_EQ(biased, scores[i] - std::exp2(-8.0 * static_cast<double>(head + 1) / num_heads) *
                                        std::abs(query - key));
    }
}

TEST(DocumentExample, BadInputIsRefusedByName) {
  const std::vector<float> x(8);
  const std::vector<std::int32_t> positions{0, 1};
  EXPECT_THROW(apply_rope(x, positions, 6), std::invalid_argument);
  EXPECT_THROW(apply_rope(x, positions, 3), std::invalid_argument);
  EXPECT_THROW(rotary_embedding(0, {.rotary_dim = 4}), std::invalid_argument);
  EXPECT_THROW(rotary_embedding(4, {.rotary_dim = 3}), std::invalid_argument);
}

}  // namespace
}  // namespace ropewalk::test
