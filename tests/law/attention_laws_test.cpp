// Laws of attention: they hold for each encoding as it enters attention, and each fails on the matching
// fault.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "law/broken_laws.hpp"
#include "ropewalk/encoding/attention_positions.hpp"
#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::attention_laws_test {
namespace {

using example::names;
using real = attention_real;
using result = attention_result<attention_limbs>;
using real_rows = matrix<real>;

constexpr int tokens = 4, channels = 4;
constexpr rope rotary{.base = 10000, .rotary_dim = channels};
constexpr attention_traits bare{}, absolute{.has_positions = true},
    relative{.has_positions = true, .is_relative = true};
constexpr attention_traits causal_bare{.is_causal = true},
    causal_relative{.has_positions = true, .is_relative = true, .is_causal = true};
constexpr attention_mask every_key{}, causal{.keys = visible_keys::causal};

names broken_by(const attention_rule& rule, const attention_traits& traits) {
  return example::broken(attention_laws::all, checked_attention{rule, traits},
                         example_of(tokens, channels, 7));
}

real_rows exact(const matrix<double>& x) { return enclosed<attention_limbs>(x); }

/// Attention with queries and keys changed by change(rows, positions).
template <class Change>
attention_rule with_changed(Change change, attention_mask mask = every_key) {
  return [=](const attention_example& example) {
    return attention(change(exact(example.queries), example.positions),
                     change(exact(example.keys), example.positions), exact(example.values), mask);
  };
}

/// Attention with biases(positions) added to its scores.
template <class Biases>
attention_rule with_biases(Biases biases, attention_mask mask) {
  return [=](const attention_example& example) {
    return attention_of_scores(
        attention_scores(exact(example.queries), exact(example.keys)) + biases(example.positions),
        exact(example.values), mask);
  };
}

const auto untouched = [](const real_rows& rows, const std::vector<double>&) { return rows; };
const auto turned = [](const real_rows& rows, const std::vector<double>& positions) {
  return rotated_rows(rows, positions, rotary);
};
const auto summed = [](const real_rows& rows, const std::vector<double>& positions) {
  return with_sinusoids(rows, positions, {.d_model = channels});
};

auto linear_of(alibi_form form) {
  return [=](const std::vector<double>& positions) {
    return linear_biases<attention_limbs>(positions, positions, 0, {.heads = 8, .form = form});
  };
}

/// T5's biases from a table of scattered numbers.
real_rows bucketed(const std::vector<double>& positions, const t5_bias& config) {
  std::vector<double> weights(static_cast<std::size_t>(config.buckets));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i * i % 37) / 16;
  const t5_bias_view<double> table(config, 1, weights);
  const int n = static_cast<int>(positions.size());
  return matrix_of(n, n, [&](int i, int j) {
    const double ahead = positions[static_cast<std::size_t>(j)] - positions[static_cast<std::size_t>(i)];
    return real::of(table.at(0, 0, static_cast<std::int64_t>(ahead)));
  });
}

/// Rows with the learned row of their position added.
real_rows with_learned_rows(const real_rows& rows, const std::vector<double>& positions) {
  const matrix<double> table = example_of(tokens, channels, 99).queries;
  return matrix_of(rows.rows(), rows.columns(), [&](int i, int j) {
    return rows.at(i, j) + real::of(table.at(static_cast<int>(positions[static_cast<std::size_t>(i)]), j));
  });
}

TEST(AttentionLaws, HaveNamesOfTheirOwn) { example::expect_names_of_their_own(attention_laws::all); }

TEST(AttentionLaws, HoldForEveryEncoding) {
  EXPECT_EQ(broken_by(with_changed(untouched), bare), names{});
  EXPECT_EQ(broken_by(with_changed(untouched, causal), causal_bare), names{});
  EXPECT_EQ(broken_by(with_changed(turned), relative), names{});
  EXPECT_EQ(broken_by(with_changed(turned, causal), causal_relative), names{});
  EXPECT_EQ(broken_by(with_changed(summed), absolute), names{});
  EXPECT_EQ(broken_by(with_changed(with_learned_rows), absolute), names{});
  EXPECT_EQ(broken_by(with_biases([](const auto& at) { return bucketed(at, {}); }, every_key), relative),
            names{});
  EXPECT_EQ(broken_by(with_biases(linear_of(alibi_form::symmetric), every_key), relative), names{});
  EXPECT_EQ(broken_by(with_biases(linear_of(alibi_form::causal), causal), causal_relative), names{});
}

TEST(AttentionLaws, PositionsAndMasksBreakEquivariant) {
  EXPECT_EQ(broken_by(with_changed(turned), bare), names{"equivariant"});
  EXPECT_TRUE(broken_by(with_changed(summed), bare).contains("equivariant"));
  EXPECT_TRUE(
      broken_by(with_biases(linear_of(alibi_form::symmetric), every_key), bare).contains("equivariant"));
  EXPECT_TRUE(broken_by(with_changed(untouched, causal), bare).contains("equivariant"));
}

TEST(AttentionLaws, AddedPositionsBreakDistanceOnlyAndToeplitz) {
  EXPECT_EQ(broken_by(with_changed(summed), relative), (names{"distance-only", "toeplitz"}));
}

TEST(AttentionLaws, APositionTakenFromTheIndexBreaksCarried) {
  const auto by_index = [](const real_rows& rows, std::vector<double> positions) {
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<double>(i);
    return rotated_rows(rows, positions, rotary);
  };
  EXPECT_EQ(broken_by(with_changed(by_index), relative), names{"carried"});
}

TEST(AttentionLaws, KeysTurnedBackwardBreakDistanceOnlyAndToeplitz) {
  const attention_rule rule = [](const attention_example& example) {
    return attention(turned(exact(example.queries), example.positions),
                     rotated_rows(exact(example.keys), example.positions, rotary, pairing::interleaved,
                                  rotation_kind::backward),
                     exact(example.values));
  };
  EXPECT_EQ(broken_by(rule, relative), (names{"distance-only", "toeplitz"}));
}

TEST(AttentionLaws, QueriesAndKeysPairedDifferentlyBreakDistanceOnly) {
  const attention_rule rule = [](const attention_example& example) {
    return attention(turned(exact(example.queries), example.positions),
                     rotated_rows(exact(example.keys), example.positions, rotary, pairing::half_split),
                     exact(example.values));
  };
  EXPECT_EQ(broken_by(rule, relative), (names{"distance-only", "toeplitz"}));
}

TEST(AttentionLaws, AnglesInBinary16BreakDistanceOnly) {
  const auto rounded = [](const real_rows& rows, std::vector<double> positions) {
    for (double& p : positions) p = p >= 4096 ? 4 * std::nearbyint(p / 4) : p;  // spacing of binary16 there
    return rotated_rows(rows, positions, rotary);
  };
  EXPECT_EQ(broken_by(with_changed(rounded), relative), names{"distance-only"});
}

TEST(AttentionLaws, SlopeTimesKeyBreaksDistanceOnly) {
  const auto bloom = [](const std::vector<double>& positions) {
    const int n = static_cast<int>(positions.size());
    return matrix_of(n, n, [&](int, int j) { return real::of(positions[static_cast<std::size_t>(j)] / 2); });
  };
  EXPECT_EQ(broken_by(with_biases(bloom, causal), causal_relative), (names{"distance-only", "toeplitz"}));
}

TEST(AttentionLaws, SlopeTimesTheKeysIndexBreaksCarriedAndToeplitz) {
  const auto by_index = [](const std::vector<double>& positions) {
    const int n = static_cast<int>(positions.size());
    return matrix_of(n, n, [](int, int j) { return real::of(j / 2.0); });
  };
  EXPECT_EQ(broken_by(with_biases(by_index, every_key), relative), (names{"carried", "toeplitz"}));
}

TEST(AttentionLaws, BucketsOfADecoderAreRelativeAndBreakEquivariant) {
  const auto ahead = [](const std::vector<double>& positions) {
    return bucketed(positions, {.bidirectional = false});
  };
  EXPECT_EQ(broken_by(with_biases(ahead, every_key), relative), names{});
  EXPECT_TRUE(broken_by(with_biases(ahead, every_key), bare).contains("equivariant"));
}

TEST(AttentionLaws, TurnedValuesBreakDistanceOnlyAndSoftmax) {
  const attention_rule rule = [](const attention_example& example) {
    return attention(turned(exact(example.queries), example.positions),
                     turned(exact(example.keys), example.positions),
                     turned(exact(example.values), example.positions));
  };
  EXPECT_EQ(broken_by(rule, relative), (names{"distance-only", "softmax"}));
}

TEST(AttentionLaws, ExponentialsThatAreNotDividedBreakDistribution) {
  const attention_rule rule = [](const attention_example& example) {
    const real_rows scores = attention_scores(exact(example.queries), exact(example.keys));
    const real_rows weights = matrix_of(tokens, tokens, [&](int i, int j) { return exp(scores.at(i, j)); });
    return result{scores, weights, weights * exact(example.values)};
  };
  EXPECT_EQ(broken_by(rule, bare), names{"distribution"});
}

TEST(AttentionLaws, PowersOfTwoInPlaceOfEBreakSoftmax) {
  const attention_rule rule = [](const attention_example& example) {
    const real_rows scores = attention_scores(exact(example.queries), exact(example.keys));
    const real_rows bits =
        matrix_of(tokens, tokens, [&](int i, int j) { return scores.at(i, j) * ln_2<attention_limbs>(); });
    result outcome = attention_of_scores(bits, exact(example.values), every_key);
    outcome.scores = scores;
    return outcome;
  };
  EXPECT_EQ(broken_by(rule, bare), names{"softmax"});
}

TEST(AttentionLaws, AMaskThatIsOneKeyOffBreaksCausal) {
  const attention_mask late{.keys = visible_keys::causal, .memory_length = 1};
  EXPECT_EQ(broken_by(with_changed(untouched, late), causal_bare), names{"causal"});
  EXPECT_EQ(broken_by(with_changed(untouched), causal_bare), names{"causal"});
}

TEST(AttentionLaws, AVagueRuleBreaksWhateverIsCompared) {
  const attention_rule rule = [](const attention_example& example) {
    result outcome = attention(exact(example.queries), exact(example.keys), exact(example.values));
    outcome.scores.at(0, 0) = unbounded<attention_limbs>();
    return outcome;
  };
  EXPECT_TRUE(broken_by(rule, bare).contains("equivariant"));
  EXPECT_TRUE(broken_by(rule, bare).contains("softmax"));
}

}  // namespace
}  // namespace ropewalk::attention_laws_test
