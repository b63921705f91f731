// Claims about attention without a matrix of scores: linear attention with rotary embeddings or relative
// biases.

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/four_tokens.hpp"
#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/function/exp_log.hpp"

namespace ropewalk::claim {
namespace {

/// elu(x) + 1, which is positive: phi of Katharopoulos et al. 2020 (arXiv:2006.16236).
scalar feature(const scalar& x) {
  return compare(x, scalar::of(0)) == order::less ? exp(x) : x + scalar::of(1);
}

attention_rows features(const matrix<double>& rows) {
  return matrix_of(rows.rows(), rows.columns(),
                   [&](int i, int j) { return feature(scalar::of(rows.at(i, j))); });
}

/// Linear attention with rotary embeddings (Su et al. 2021, equation 19): features are rotated in the
/// numerator and unrotated in the denominator.
struct linear_head {
  attention_rows queries, keys;  // phi(q), phi(k)
  attention_rows turned_queries, turned_keys;
  attention_rows values;
};

linear_head head_of(const attention_example& example) {
  const attention_rows queries = features(example.queries), keys = features(example.keys);
  return {queries, keys, turned(queries, example.positions), turned(keys, example.positions),
          exact(example.values)};
}

scalar sum_of_row(const attention_rows& x, int row) {
  scalar sum = scalar::of(0);
  for (const scalar& entry : x.row(row)) sum = sum + entry;
  return sum;
}

/// The weight of every value, from the matrix of all pairs.
attention_rows weights_of(const linear_head& head) {
  const attention_rows above = times_transposed(head.turned_queries, head.turned_keys);
  const attention_rows below = times_transposed(head.queries, head.keys);
  return matrix_of(above.rows(), above.columns(),
                   [&](int query, int key) { return above.at(query, key) / sum_of_row(below, query); });
}

/// The same outputs from sums over keys shared by all queries, without a matrix of queries and keys.
attention_rows outputs_by_shared_sums(const linear_head& head) {
  const attention_rows keys_and_values = transposed(head.turned_keys) * head.values;
  const attention_rows sum_of_keys = matrix_of(
      1, head.keys.columns(), [&](int, int channel) { return sum_of_row(transposed(head.keys), channel); });
  const attention_rows above = head.turned_queries * keys_and_values;
  const attention_rows below = times_transposed(head.queries, sum_of_keys);
  return matrix_of(above.rows(), above.columns(),
                   [&](int query, int channel) { return above.at(query, channel) / below.at(query, 0); });
}

/// The denominator if it were rotated: the sum of the products of a query with features (1, 1) and a key with
/// the same features at position 0.
scalar rotated_denominator(int position) {
  const rope one_pair{.base = 10000, .rotary_dim = 2};
  const attention_rows ones = matrix_of(1, 2, [](int, int) { return scalar::of(1); });
  const position_list at{static_cast<double>(position)}, origin{0};
  return times_transposed(rotated_rows(ones, at, one_pair), rotated_rows(ones, origin, one_pair)).at(0, 0);
}

evidence rotated_numerator_alone() {
  const attention_example example = four_tokens();
  const linear_head here = head_of(example), there = head_of(moved(example, 4096));
  const attention_rows weights = weights_of(here), outputs = weights * here.values;
  const int by_sums = agreeing_entries(outputs, outputs_by_shared_sums(here)),
            relative = agreeing_entries(outputs, outputs_by_shared_sums(there));
  int negative = 0, sums_of_one = 0;
  std::string sums;
  for (int query = 0; query < four; ++query) {
    const scalar sum = sum_of_row(weights, query);
    sums_of_one += agree(sum, scalar::of(1));
    sums += fmt::format("{}{:.4f}", query == 0 ? "" : ", ", nearest(sum));
    for (const scalar& weight : weights.row(query)) negative += compare(weight, scalar::of(0)) == order::less;
  }
  const scalar near = rotated_denominator(1), far = rotated_denominator(2);
  const bool changes_sign = is_below(scalar::of(0), near) && is_below(far, scalar::of(0));
  const std::string text = fmt::format(
      "4 tokens, phi(x) = elu(x) + 1: {} of 16 outputs are the same by shared sums, without a matrix of "
      "pairs, and {} of 16 at positions 4096 farther\n{} of 16 weights are negative; query 3 has {}; the "
      "weights of a query sum to {}\nwith a rotated denominator a query and a key of features (1, 1) would "
      "be divided by {:.4f} at distance 1 and by {:.4f} at distance 2",
      by_sums, relative, negative, printed(weights, 3), sums, nearest(near), nearest(far));
  return {by_sums == 16 && relative == 16 && negative > 0 && sums_of_one < four && changes_sign, text};
}

/// Number of differences b(i, j) - b(i, 0) - b(0, j) + b(0, 0) that are not 0. If all are 0, the bias is a
/// term of the query plus a term of the key, and its exponential is a product of one factor each.
int mixed_differences(const matrix<std::int64_t>& bias) {
  int count = 0;
  for (int i = 1; i < bias.rows(); ++i)
    for (int j = 1; j < bias.columns(); ++j)
      count += bias.at(i, j) - bias.at(i, 0) - bias.at(0, j) + bias.at(0, 0) != 0;
  return count;
}

int different_entries(const matrix<std::int64_t>& bias) {
  std::set<std::int64_t> seen;
  for (int i = 0; i < bias.rows(); ++i)
    for (const std::int64_t entry : bias.row(i)) seen.insert(entry);
  return static_cast<int>(seen.size());
}

evidence biases_of_pairs() {
  constexpr int length = 64;
  const auto steps = [](alibi_form form) {  // a bias is its slope times the steps
    return matrix_of(length, length, [&](int query, int key) { return alibi_steps(query - key, form); });
  };
  const matrix<std::int64_t> causal = steps(alibi_form::causal), symmetric = steps(alibi_form::symmetric);
  const t5_bias config{};
  std::vector<std::int64_t> drawn;
  for (std::int64_t bucket = 0; bucket < config.buckets; ++bucket) drawn.push_back(bucket * bucket);
  const t5_bias_view<std::int64_t> weights(config, 1, drawn);
  const matrix<std::int64_t> t5 =
      matrix_of(length, length, [&](int query, int key) { return weights.at(0, query, key); });
  const std::string text = fmt::format(
      "{0} tokens, {0} x {0} biases: {1} different ones of causal ALiBi, {2} of symmetric ALiBi, {3} of "
      "T5\nmixed differences that are not 0, of {4}: {5} of causal ALiBi, {6} of symmetric ALiBi, {7} of T5",
      length, different_entries(causal), different_entries(symmetric), different_entries(t5),
      (length - 1) * (length - 1), mixed_differences(causal), mixed_differences(symmetric),
      mixed_differences(t5));
  return {different_entries(causal) == 2 * length - 1 && different_entries(symmetric) == length &&
              different_entries(t5) < config.buckets && mixed_differences(causal) == 0 &&
              mixed_differences(symmetric) > 0 && mixed_differences(t5) > 0,
          text};
}

}  // namespace

std::vector<claim> linear_attention_claims() {
  return {
      {.number = 75,
       .documents = {document::blog_post},
       .statement = "RoPE works for efficient variants of attention",
       .decided = verdict::corrected,
       .correction =
           "in linear attention it needs no matrix of pairs and its outputs stay relative, but only the "
           "numerator is rotated (RoFormer, equation 19): weights may be negative and need not sum to 1, and "
           "a denominator rotated with it would change its sign with the distance",
       .witness = "rotated_numerator_alone",
       .run = rotated_numerator_alone},
      {.number = 76,
       .documents = {document::blog_post},
       .statement = "relative encodings are expressed with an N x N matrix of pairs, which might not work "
                    "with efficient transformers",
       .decided = verdict::corrected,
       .correction = "the matrix is Toeplitz, with at most 2 N - 1 different numbers; a causal ALiBi bias is "
                     "a term of the query plus a term of the key, so that linear attention can take it as "
                     "two factors; ALiBi's symmetric form and T5's buckets do not split this way",
       .witness = "biases_of_pairs; law \"toeplitz\"",
       .run = biases_of_pairs}};
}

}  // namespace ropewalk::claim
