// Claims about attention: the effect of the order of tokens, and of rotary embeddings on scores.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/four_tokens.hpp"
#include "ropewalk/encoding/latent_attention.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::claim {
namespace {

using result = attention_result<attention_limbs>;

constexpr attention_mask every_key{}, under_a_mask{.keys = visible_keys::causal};
constexpr attention_traits relative_traits{.has_positions = true, .is_relative = true};

result without_positions(const attention_example& example) {
  return attention(exact(example.queries), exact(example.keys), exact(example.values));
}
result masked(const attention_example& example) {
  return attention(exact(example.queries), exact(example.keys), exact(example.values), under_a_mask);
}
result with_sines(const attention_example& example) {
  return attention(with_sinusoids(exact(example.queries), example.positions, four_sinusoids),
                   with_sinusoids(exact(example.keys), example.positions, four_sinusoids),
                   exact(example.values));
}
result with_rotation(const attention_example& example) {
  return attention(turned(exact(example.queries), example.positions),
                   turned(exact(example.keys), example.positions), exact(example.values));
}
result with_slopes(const attention_example& example) {
  const alibi config{.heads = 8, .form = alibi_form::symmetric};
  return attention_of_scores(
      attention_scores(exact(example.queries), exact(example.keys)) +
          linear_biases<attention_limbs>(example.positions, example.positions, 0, config),
      exact(example.values), every_key);
}

/// Number of the other orders of four tokens in which scores and outputs are permuted like the tokens.
int orders_followed(const attention_rule& rule) {
  const attention_example example = four_tokens();
  const result before = rule(example);
  int followed = -1;  // the original order always counts
  detail::attention_law::for_each_order(four, [&](const std::vector<int>& order) {
    measurement measured;
    detail::attention_law::judge_reordered(measured, before, rule(reordered(example, order)), order);
    followed += measured.holds ? 1 : 0;
  });
  return followed;
}

evidence orders_of_four_tokens() {
  const int plain = orders_followed(without_positions), added = orders_followed(with_sines),
            rotated = orders_followed(with_rotation), biased = orders_followed(with_slopes);
  const std::string text = fmt::format(
      "of the 23 other orders of 4 tokens attention follows {} without positions, {} with sinusoids added, "
      "{} with rotary embeddings, {} with linear biases (the reverse, of which |i - j| says nothing)",
      plain, added, rotated, biased);
  return {plain == 23 && added == 0 && rotated == 0 && biased == 1, text};
}

evidence order_under_a_causal_mask() {
  const int open = orders_followed(without_positions), closed = orders_followed(masked);
  const std::string text = fmt::format(
      "without positions attention follows {} of the 23 other orders of 4 tokens; under a causal mask {}",
      open, closed);
  return {open == 23 && closed == 0, text};
}

evidence two_tokens_change_places() {
  const attention_example example = four_tokens();
  const std::vector<int> exchanged{1, 0, 2, 3};
  const result before = without_positions(example), after = without_positions(reordered(example, exchanged));
  int same = 0, permuted = 0;
  for (int i = 0; i < four; ++i)
    for (int j = 0; j < four; ++j) {
      const auto at = [&](int k) { return exchanged[static_cast<std::size_t>(k)]; };
      same += compare(after.scores.at(i, j), before.scores.at(i, j)) == order::equal ? 1 : 0;
      permuted += compare(after.scores.at(i, j), before.scores.at(at(i), at(j))) == order::equal ? 1 : 0;
    }
  const std::string text = fmt::format(
      "tokens 0 and 1 exchanged: {} of 16 scores remain, {} of 16 are those of the tokens that now stand "
      "there, exactly; row 2 was {} and is {}",
      same, permuted, printed(before.scores, 2), printed(after.scores, 2));
  return {same < 16 && permuted == 16, text};
}

/// Names of the attention laws that a rule breaks.
std::string broken_laws(const attention_rule& rule, const attention_traits& traits) {
  std::string names;
  const checked_attention attention{rule, traits};
  for (const law<checked_attention>& law : attention_laws::all)
    if (law.applies(attention) && !law.measure(attention, four_tokens()).holds)
      names += std::string(names.empty() ? "" : ", ") + std::string(law.name);
  return names.empty() ? "none" : names;
}

evidence scores_by_distance() {
  const attention_rule backward = [](const attention_example& example) {
    return attention(turned(exact(example.queries), example.positions),
                     rotated_rows(exact(example.keys), example.positions, four_channels, pairing::interleaved,
                                  rotation_kind::backward),
                     exact(example.values));
  };
  const std::string rotation = broken_laws(with_rotation, relative_traits),
                    same_sign = broken_laws(backward, relative_traits),
                    sines = broken_laws(with_sines, relative_traits);
  const attention_example here = four_tokens(), there = moved(here, 1048576);
  const std::string text = fmt::format(
      "laws of relative positions that rotary embeddings break: {}; with R_i q . R_(-j) k: {}; with "
      "sinusoids added: {}\nscore of query 3 and key 1: {:.15f} at positions 3 and 1, {:.15f} at 1048579 and "
      "1048577",
      rotation, same_sign, sines, nearest(with_rotation(here).scores.at(3, 1)),
      nearest(with_rotation(there).scores.at(3, 1)));
  return {rotation == "none" && same_sign == "distance-only, toeplitz" && sines == "distance-only, toeplitz",
          text};
}

evidence projected_score() {
  const attention_rows query_weights =
      matrix_of(4, 4, [](int i, int j) { return scalar::of((5 * i + 3 * j) % 7 - 3); });
  const attention_rows key_weights =
      matrix_of(4, 4, [](int i, int j) { return scalar::of((2 * i + 9 * j) % 5 - 2); });
  const attention_rows x = matrix_of(1, 4, [](int, int j) { return scalar::of(j + 1); });
  const attention_rows y = matrix_of(1, 4, [](int, int j) { return scalar::of(2 - j); });
  const attention_rows query = times_transposed(x, query_weights), key = times_transposed(y, key_weights);
  const attention_rows key_at_distance = turned(key, {3});
  const scalar score = times_transposed(turned(query, {2}), turned(key, {5})).at(0, 0);
  const scalar stated = times_transposed(x * query_weights, key_at_distance).at(0, 0);  // x^T W_q R W_k y
  const scalar transposed_once = times_transposed(query, key_at_distance).at(0, 0);     // x^T W_q^T R W_k y
  const scalar one_token = times_transposed(query, turned(times_transposed(x, key_weights), {3})).at(0, 0);
  const std::string text = fmt::format(
      "(R_2 W_q x) . (R_5 W_k y) = {:.6f} = x^T W_q^T R_3 W_k y = {:.6f}; without the transpose {:.6f}; with "
      "x for both tokens {:.6f}",
      nearest(score), nearest(transposed_once), nearest(stated), nearest(one_token));
  return {agree(score, transposed_once) && !agree(score, stated) && !agree(score, one_token), text};
}

evidence decoupled_rotation() {
  constexpr rope half{.base = 10000,
                      .rotary_dim = 2};  // of four channels, two rotate and two come from the latent
  const attention_rule decoupled = [=](const attention_example& example) {
    return attention(rotated_rows(exact(example.queries), example.positions, half),
                     rotated_rows(exact(example.keys), example.positions, half), exact(example.values));
  };
  const attention_rule latent_turned =
      [](const attention_example& example) {  // q . W_UK R_n c, with queries at R_m
        const attention_rows up =
            matrix_of(4, 4, [](int i, int j) { return scalar::of((3 * i + 5 * j) % 7 - 3); });
        return attention(turned(exact(example.queries), example.positions),
                         times_transposed(turned(exact(example.keys), example.positions), up),
                         exact(example.values));
      };
  const std::string apart = broken_laws(decoupled, relative_traits),
                    inside = broken_laws(latent_turned, relative_traits);
  const yarn deepseek_v3{
      .factor = 40, .original_max_position_embeddings = 4096, .mscale = 1.0, .mscale_all_dim = 1.0};
  const std::string text = fmt::format(
      "laws of relative positions broken where a part of each head rotates and the rest comes from the "
      "latent: {}; where the latent itself rotates, before its up-projection: {}\nDeepSeek-V3's scores of "
      "192 channels, 64 of them rotated, are multiplied by {:.16f}",
      apart, inside, nearest(latent_softmax_scale<attention_limbs>(192, deepseek_v3)));
  return {apart == "none" && inside == "distance-only, toeplitz", text};
}

evidence turned_values() {
  const attention_rule rule = [](const attention_example& example) {
    return attention(turned(exact(example.queries), example.positions),
                     turned(exact(example.keys), example.positions),
                     turned(exact(example.values), example.positions));
  };
  const attention_example here = four_tokens(), there = moved(here, 1);
  const std::string with = broken_laws(rule, relative_traits),
                    without = broken_laws(with_rotation, relative_traits);
  const std::string text = fmt::format(
      "all tokens one position farther: the output of token 3 stays {} where queries and keys rotate; where "
      "values do too it goes from {} to {}\nlaws broken: {}; with values rotated: {}",
      printed(with_rotation(there).outputs, 3), printed(rule(here).outputs, 3),
      printed(rule(there).outputs, 3), without, with);
  return {without == "none" && with == "distance-only, softmax", text};
}

/// Enclosed complex numbers; a product adds their angles.
struct complex {
  scalar x, y;
  friend complex operator*(const complex& a, const complex& b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  }
};
complex conjugate(const complex& a) { return {a.x, -a.y}; }
bool are_equal(const complex& a, const complex& b) {
  return ropewalk::agree(a.x, b.x) && ropewalk::agree(a.y, b.y);
}
double angle_of(const complex& a) { return std::atan2(nearest(a.y), nearest(a.x)); }

/// phi(m) = m radians: f(x, m) = x e^(i m). Query (3 + 4i) / 5 at m, key (5 + 12i) / 13 at m + 1.
evidence angle_progression() {
  constexpr rope one_pair{.base = 10000, .rotary_dim = 2};
  const auto at = [&](double m) {
    const auto outcome = rotation_matrix<attention_limbs>(one_pair, m).block(0);
    return complex{outcome.cos, outcome.sin};
  };
  const auto over = [](int a, int b) { return scalar::of(a) / scalar::of(b); };
  const complex query{over(3, 5), over(4, 5)}, key{over(5, 13), over(12, 13)}, step = at(1);
  bool corrected = true, stated = false, same_score = true;
  const complex first = query * at(0) * conjugate(key * at(1));
  for (const double m : {0.0, 1.0, 7.0, 1000.0}) {
    const complex score = query * at(m) * conjugate(key * at(m + 1));  // angle Theta_g
    corrected = corrected &&
                are_equal(conjugate(score) * query * conjugate(key), step);  // -Theta_g + Theta_q - Theta_k
    stated = stated || are_equal(score * query * conjugate(key), step);
    same_score = same_score && are_equal(score, first);
  }
  const bool depends_on_m = !are_equal(at(1), at(2));
  const double g = angle_of(first), q = angle_of(query), k = angle_of(key);
  const std::string text = fmt::format(
      "phi(m) = m: Theta(q) = {:.4f}, Theta(k) = {:.4f}, Theta_g = {:.4f} at every m; phi(m + 1) - phi(m) = "
      "1 = -Theta_g + Theta(q) - Theta(k) = {:.4f}, while Theta_g + Theta(q) - Theta(k) = {:.4f}\nthe "
      "difference does not depend on m; phi does: phi(1) = 1, phi(2) = 2",
      q, k, g, -g + q - k, g + q - k);
  return {corrected && !stated && same_score && depends_on_m, text};
}

}  // namespace

std::vector<claim> attention_claims() {
  return {
      {.number = 1,
       .documents = {document::study_notes, document::attn_tensors, document::blog_post},
       .statement = "without positions, attention scores follow the tokens under any permutation; adding "
                    "positions breaks this",
       .decided = verdict::holds,
       .correction = "",
       .witness = "scores_follow_every_order_of_the_tokens; law \"equivariant\"",
       .run = orders_of_four_tokens},
      {.number = 13,
       .documents = {document::study_notes, document::roformer_notes, document::attn_tensors,
                     document::blog_post},
       .statement =
           "R_m^T R_n = R_(n-m): the score of rotated queries and keys depends on their distance alone",
       .decided = verdict::holds,
       .correction = "",
       .witness =
           "transposed_rotation_times_rotation_is_that_of_the_distance; laws \"distance-only\", \"toeplitz\"",
       .run = scores_by_distance},
      {.number = 29,
       .documents = {document::roformer_notes},
       .statement = "the identity survives the projections: q_m^T k_n = x^T W_q R_(n-m) W_k x_n",
       .decided = verdict::corrected,
       .correction = "q_m^T k_n = x_m^T W_q^T R_(n-m) W_k x_n: W_q is transposed, and the first token is x_m",
       .witness = "score_of_projected_tokens_depends_on_the_distance",
       .run = projected_score},
      {.number = 30,
       .documents = {document::lecture},
       .statement = "rotary encodings are mixed with latent attention",
       .decided = verdict::corrected,
       .correction = "they stand beside the latent: a separate part of each query and key rotates and keeps "
                     "the score relative; a rotated latent would not",
       .witness = "decoupled_rotation",
       .run = decoupled_rotation},
      {.number = 32,
       .documents = {document::study_notes, document::roformer_notes},
       .statement = "each pair of query, key and value is rotated",
       .decided = verdict::corrected,
       .correction =
           "queries and keys are; with rotated values outputs would turn with the absolute position",
       .witness = "turned_values; laws \"distance-only\", \"softmax\"",
       .run = turned_values},
      {.number = 33,
       .documents = {document::study_notes},
       .statement = "without positions scores remain unchanged whatever the order of the tokens",
       .decided = verdict::corrected,
       .correction = "they are permuted with the tokens, rows and columns alike",
       .witness = "scores_do_not_remain_when_tokens_change_places",
       .run = two_tokens_change_places},
      {.number = 35,
       .documents = {document::blog_post},
       .statement = "phi(m+1) - phi(m) = Theta_g + Theta(q) - Theta(k), so phi must not depend on m",
       .decided = verdict::corrected,
       .correction =
           "Theta_g enters with a minus; the difference does not depend on m, but phi(m) = m theta does",
       .witness = "angle_progression",
       .run = angle_progression},
      {.number = 66,
       .documents = {document::attn_tensors},
       .statement = "attention is permutation-equivariant: exchanged inputs exchange outputs",
       .decided = verdict::corrected,
       .correction = "holds without a mask; a causal mask alone tells orders apart",
       .witness = "order_under_a_causal_mask; law \"equivariant\"",
       .run = order_under_a_causal_mask}};
}

}  // namespace ropewalk::claim
