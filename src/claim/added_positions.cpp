// Claims about positions added to tokens, compared with positions that rotate queries and keys or bias their
// scores.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/four_tokens.hpp"
#include "ropewalk/encoding/sinusoidal_shift.hpp"
#include "ropewalk/encoding/t5_bias.hpp"

namespace ropewalk::claim {
namespace {

const attention_rows example_token =
    matrix_of(1, four, [](int, int channel) { return scalar::of(channel + 1); });
const attention_rows other_token =
    matrix_of(1, four, [](int, int channel) { return scalar::of(3 - channel); });

/// The sinusoidal row of a position, with four channels.
attention_rows row_of(double position) {
  return matrix_of(1, four, [&](int, int channel) {
    return sinusoidal_entry<attention_limbs>(position, channel, four_sinusoids);
  });
}

scalar product(const attention_rows& x, const attention_rows& y) { return times_transposed(x, y).at(0, 0); }

// Learned projections of fixed rows.

constexpr sinusoidal wide_sinusoids{.d_model = 32};
constexpr int row_count = 16;

std::vector<scalar> wide_row(double position) {
  std::vector<scalar> row;
  for (int channel = 0; channel < wide_sinusoids.d_model; ++channel)
    row.push_back(sinusoidal_entry<attention_limbs>(position, channel, wide_sinusoids));
  return row;
}

/// The smallest weight of the key at query + offset. Keys are the rows. Queries are the rows shifted by the
/// offset, times 64. Both are projections of one fixed table.
scalar least_weight_at(int offset) {
  const sinusoidal_shift<attention_limbs> shift(wide_sinusoids, offset);
  std::vector<scalar> queries, keys;
  for (int position = 0; position < row_count; ++position) {
    for (const scalar& entry : wide_row(position)) keys.push_back(entry);
    for (const scalar& entry : shift.applied_to(wide_row(position)))
      queries.push_back(times_power_of_two(entry, 6));
  }
  const int width = wide_sinusoids.d_model;
  const attention_rows weights = attention_weights(
      attention_scores(attention_rows(row_count, width, queries), attention_rows(row_count, width, keys)),
      {});
  scalar least = scalar::of(1);
  for (int query = 0; query < row_count; ++query)
    if (query + offset >= 0 && query + offset < row_count &&
        is_below(weights.at(query, query + offset), least))
      least = weights.at(query, query + offset);
  return least;
}

evidence projections_of_fixed_rows() {
  const scalar before = least_weight_at(-1), after = least_weight_at(1), third = least_weight_at(-3);
  const scalar most = scalar::of(0.99);
  return {is_below(most, before) && is_below(most, after) && is_below(most, third),
          fmt::format("16 tokens that are sinusoidal rows alone, 32 channels: W_q = 64 x the shift by -1 "
                      "gives the token before each query at least {:.6f} of its attention, the shift by 1 "
                      "the token after {:.6f}, the shift by -3 the third before {:.6f}",
                      nearest(before), nearest(after), nearest(third))};
}

// Context vectors of equal queries and keys.

/// Number of the six pairs of tokens with different outputs.
int pairs_distinguished(const attention_rows& outputs) {
  int count = 0;
  for (int i = 0; i < four; ++i)
    for (int j = 0; j < i; ++j) {
      bool differ = false;
      for (int channel = 0; channel < four; ++channel)
        differ = differ || !may_be_zero(outputs.at(i, channel) - outputs.at(j, channel));
      count += differ;
    }
  return count;
}

evidence contexts_of_equal_queries_and_keys() {
  const attention_rows ones = matrix_of(four, four, [](int, int) { return scalar::of(1); });
  const attention_rows values = exact(four_tokens().values), scores = attention_scores(ones, ones);
  const position_list at{0, 1, 2, 3};
  const alibi slopes{.heads = 8, .form = alibi_form::symmetric};
  const int plain = pairs_distinguished(attention_of_scores(scores, values, {}).outputs);
  const int biased = pairs_distinguished(
      attention_of_scores(scores + linear_biases<attention_limbs>(at, at, 0, slopes), values, {}).outputs);
  const int masked =
      pairs_distinguished(attention_of_scores(scores, values, {.keys = visible_keys::causal}).outputs);
  return {plain == 0 && biased == 6 && masked == 6,
          fmt::format("4 tokens, all queries and keys (1, 1, 1, 1): of 6 pairs of context vectors {} differ "
                      "without positions, {} with linear biases, {} under a causal mask",
                      plain, biased, masked)};
}

// The contents of a token's value.

struct lone_outputs {
  attention_rows added, queries_and_keys, rotated;
};

/// Outputs of attention for a single token, with unit projections: the sinusoid added to the token; the
/// sinusoid added to query and key only; query and key rotated.
lone_outputs outputs_at(double position) {
  const position_list at{position};
  const attention_rows with_row = with_sinusoids(example_token, at, four_sinusoids),
                       rotated = turned(example_token, at);
  return {attention(with_row, with_row, with_row).outputs,
          attention(with_row, with_row, example_token).outputs,
          attention(rotated, rotated, example_token).outputs};
}

/// Cosine of the angle between a token with 768 channels of +-size and its sum with row 5.
scalar cosine_with_sum(double size) {
  const sinusoidal config{.d_model = 768};
  scalar dot = scalar::of(0), own = scalar::of(0), whole = scalar::of(0);
  for (int channel = 0; channel < config.d_model; ++channel) {
    const scalar x = scalar::of(channel % 4 < 2 ? size : -size);
    const scalar sum = x + sinusoidal_entry<attention_limbs>(5, channel, config);
    dot = dot + x * sum, own = own + x * x, whole = whole + sum * sum;
  }
  return dot / square_root(own * whole);
}

evidence outputs_of_a_lone_token() {
  int rotated = 0, added = 0;
  for (const double position : {0.0, 7.0, 1000.0}) {
    const lone_outputs outputs = outputs_at(position);
    rotated += agreeing_entries(outputs.rotated, example_token);
    added += agreeing_entries(outputs.added, example_token);
  }
  const scalar small = cosine_with_sum(0.02), scaled = cosine_with_sum(1);
  return {rotated == 12 && added < 6 && is_below(small, scalar::of(0.1)) && is_below(scalar::of(0.5), scaled),
          fmt::format("a lone token (1, 2, 3, 4) at positions 0, 7 and 1000: {} of 12 numbers of its output "
                      "are the token's own with rotated queries and keys, {} of 12 with sinusoids added ({} "
                      "at position 7)\n768 channels, row 5: token and sum have the cosine {:.4f} where the "
                      "token's channels are +-0.02, and {:.4f} where they are +-1",
                      rotated, added, printed(outputs_at(7).added, 0), nearest(small), nearest(scaled))};
}

evidence added_before_the_projections() {
  const auto projection = [](int a, int b) {
    return matrix_of(four, four, [=](int i, int j) { return scalar::of((a * i + b * j) % 7 - 3); });
  };
  const attention_rows query_weights = projection(5, 3), key_weights = projection(2, 9);
  const auto projected_sum = [](const attention_rows& x, double at, const attention_rows& weights) {
    return times_transposed(x + row_of(at), weights);
  };
  const auto sum_of_projected = [](const attention_rows& x, double at, const attention_rows& weights) {
    return times_transposed(x, weights) + row_of(at);
  };
  const scalar before =
      product(projected_sum(example_token, 3, query_weights), projected_sum(other_token, 1, key_weights));
  const scalar after = product(sum_of_projected(example_token, 3, query_weights),
                               sum_of_projected(other_token, 1, key_weights));
  const lone_outputs outputs = outputs_at(7);
  const int kept = agreeing_entries(outputs.queries_and_keys, example_token),
            moved_too = agreeing_entries(outputs.added, example_token);
  return {
      !may_be_zero(before - after) && kept == four && moved_too < four,
      fmt::format("tokens at 3 and 1: q . k = {:.4f} where rows are added to tokens and the sums projected, "
                  "{:.4f} where rows are added to projected queries and keys\na lone token (1, 2, 3, 4) at "
                  "position 7 has the output {} in the former, {} in the latter",
                  nearest(before), nearest(after), printed(outputs.added, 0),
                  printed(outputs.queries_and_keys, 0))};
}

// Content and position in one score.

struct score_terms {
  scalar content, content_position, position_content, position;
  scalar sum() const { return content + content_position + position_content + position; }
};

score_terms terms_at(double query, double key) {
  const attention_rows at_query = row_of(query), at_key = row_of(key);
  return {product(example_token, other_token), product(example_token, at_key), product(at_query, other_token),
          product(at_query, at_key)};
}

scalar rotated_score(double query, double key) {
  return product(turned(example_token, {query}), turned(other_token, {key}));
}

std::string text_of(const score_terms& terms) {
  return fmt::format("{} {:+.4f} {:+.4f} {:+.4f} = {:.4f}", nearest(terms.content),
                     nearest(terms.content_position), nearest(terms.position_content),
                     nearest(terms.position), nearest(terms.sum()));
}

evidence terms_at_one_distance() {
  const score_terms near = terms_at(5, 3), far = terms_at(10, 8);
  const scalar rotated_near = rotated_score(5, 3), rotated_far = rotated_score(10, 8);
  const bool ends_agree = agree(near.content, far.content) && agree(near.position, far.position);
  const bool mixed_differ = !may_be_zero(near.content_position - far.content_position) &&
                            !may_be_zero(near.position_content - far.position_content);
  return {
      ends_agree && mixed_differ && !may_be_zero(near.sum() - far.sum()) && agree(rotated_near, rotated_far),
      fmt::format("(x + PE(m)) . (y + PE(n)) = x . y + x . PE(n) + PE(m) . y + PE(m) . PE(n)\n(5, 3): "
                  "{}\n(10, 8): {}\nrotated: {:.4f} and {:.4f}",
                  text_of(near), text_of(far), nearest(rotated_near), nearest(rotated_far))};
}

// The offset of two tokens.

evidence offsets_of_pairs() {
  const alibi eight_heads{.heads = 8};
  const auto bias_at = [&](double query, double key) {
    const position_list queries{query}, keys{key};
    return linear_biases<attention_limbs>(queries, keys, 0, eight_heads).at(0, 0);
  };
  const t5_bias buckets{};
  const scalar near_bias = bias_at(5, 3), far_bias = bias_at(10, 8);
  const std::int64_t bucket = t5_bucket(3 - 5, buckets);
  const int kept = agreeing_entries(turned(example_token, {5}), turned(example_token, {10}));
  const scalar near_score = rotated_score(5, 3), far_score = rotated_score(10, 8);
  return {
      agree(near_bias, far_bias) && bucket == t5_bucket(8 - 10, buckets) && kept == 0 &&
          agree(near_score, far_score),
      fmt::format("(5, 3) and (10, 8): ALiBi's bias is {} and {}, T5's bucket {} and {}; both are "
                  "functions of the offset\nthe rotated query has {} of 4 channels alike at positions 5 and "
                  "10; its scores with the keys are {:.4f} and {:.4f}",
                  nearest(near_bias), nearest(far_bias), bucket, t5_bucket(8 - 10, buckets), kept,
                  nearest(near_score), nearest(far_score))};
}

}  // namespace

std::vector<claim> added_positions_claims() {
  return {
      {.number = 45,
       .documents = {document::attn_tensors},
       .statement = "relative encodings directly encode the offset",
       .decided = verdict::corrected,
       .correction =
           "biases are functions of the offset, and so are Transformer-XL's rows. RoPE encodes each "
           "token's own position, and the offset appears only in the score",
       .witness = "offsets_of_pairs; laws \"distance-only\", \"toeplitz\"",
       .run = offsets_of_pairs},
      {.number = 82,
       .documents = {document::study_notes},
       .statement = "sinusoids have no parameters, so they learn no position patterns of a task, and capture "
                    "none that are local",
       .decided = verdict::corrected,
       .correction = "the rows are fixed, but the projections behind them are learned: one pair of matrices "
                     "attends to the token before each query, another to the token after it",
       .witness = "projections_of_fixed_rows; theorem one_rotation_shifts_every_position",
       .run = projections_of_fixed_rows},
      {.number = 90,
       .documents = {document::lecture},
       .statement = "different context vectors for different positions need different query and key vectors",
       .decided = verdict::refuted,
       .correction = "biases of the scores, or a causal mask alone, give tokens of equal queries and keys "
                     "different context vectors",
       .witness = "contexts_of_equal_queries_and_keys",
       .run = contexts_of_equal_queries_and_keys},
      {.number = 91,
       .documents = {document::lecture},
       .statement = "adding positions pollutes the semantic information of tokens; rotating queries and keys "
                    "leaves it untouched",
       .decided = verdict::corrected,
       .correction = "\"pollutes\" names no quantity; values carry an added row into every output, and "
                     "rotated queries and keys change only the weights of the values",
       .witness = "outputs_of_a_lone_token",
       .run = outputs_of_a_lone_token},
      {.number = 92,
       .documents = {document::blog_post},
       .statement = "the sinusoidal encoding is added to the query and key vectors",
       .decided = verdict::corrected,
       .correction = "to token embeddings, before the projections: queries and keys have it projected, and "
                     "values have it, too",
       .witness = "added_before_the_projections",
       .run = added_before_the_projections},
      {.number = 93,
       .documents = {document::attn_tensors},
       .statement =
           "absolute encodings conflate content with position: (5, 3) and (10, 8) are not alike to a model",
       .decided = verdict::corrected,
       .correction = "of the four terms of a score with sinusoids added two are alike, content with content "
                     "and position with position; the two mixed terms are not. A rotated score is",
       .witness = "terms_at_one_distance; law \"distance-only\"",
       .run = terms_at_one_distance}};
}

}  // namespace ropewalk::claim
