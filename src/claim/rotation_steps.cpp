// Claims about the steps of a rotary embedding: its angle, its complex factor, its place in attention, and
// its derivation.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/four_tokens.hpp"
#include "claim/models.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/table/inv_freq_table.hpp"
#include "ropewalk/table/rotary_embedding.hpp"

namespace ropewalk::claim {
namespace {

evidence one_angle_for_every_token() {
  const attention_example sample = four_tokens();
  const attention_rows queries = exact(sample.queries), keys = exact(sample.keys),
                       plain = attention_scores(queries, keys);
  const position_list same_place{1, 1, 1, 1};
  const int same =
      agreeing_entries(attention_scores(turned(queries, same_place), turned(keys, same_place)), plain);
  const int by_position = agreeing_entries(
      attention_scores(turned(queries, sample.positions), turned(keys, sample.positions)), plain);
  return {same == 16 && by_position < 16,
          fmt::format("4 tokens: {} of 16 scores are those without positions where every token turns by "
                      "theta_n, {} of 16 where the token at position p turns by p theta_n",
                      same, by_position)};
}

evidence frequencies_of_sinusoids() {
  const std::vector<std::uint64_t> rotary = inv_freqs<double>(llama_2);
  const auto equal = [&](int d_model) {
    const sinusoidal config{.d_model = d_model};
    int count = 0;
    for (int pair = 0; pair < pair_count(llama_2); ++pair)
      count += nearest(sinusoidal_inv_freq<attention_limbs>(pair, config)) ==
               from_bits<double>(rotary[static_cast<std::size_t>(pair)]);
    return count;
  };
  const int of_head = equal(128), of_model = equal(4096);
  return {of_head == 64 && of_model == 1,
          fmt::format("a head of 128 channels: {} of its 64 frequencies are those of the sinusoidal pairs of "
                      "128 channels, and {} that of the same pair of a model's 4096 channels",
                      of_head, of_model)};
}

/// (q e^(i m)) (k e^(i n)) with q = k = 1 and a real number i: e^(i (m + n)).
scalar score_with_a_number(int i, int m, int n) { return exp(scalar::of(i * m)) * exp(scalar::of(i * n)); }

/// The same with the imaginary unit i: (1, 0) rotated by m . (1, 0) rotated by n.
scalar score_with_the_unit(double m, double n) {
  const rope one_pair{.base = 10000, .rotary_dim = 2};
  const attention_rows x = matrix_of(1, 2, [](int, int channel) { return scalar::of(channel == 0 ? 1 : 0); });
  const position_list query{m}, key{n};
  return times_transposed(rotated_rows(x, query, one_pair), rotated_rows(x, key, one_pair)).at(0, 0);
}

evidence index_or_imaginary_unit() {
  const scalar number = score_with_a_number(1, 2, 5), number_moved = score_with_a_number(1, 3, 6);
  const scalar unit = score_with_the_unit(2, 5), unit_moved = score_with_the_unit(3, 6);
  return {is_below(number, number_moved) && agree(unit, unit_moved),
          fmt::format("theta = 1, q = k = 1: the score of positions (2, 5) and (3, 6) is {:.4f} and {:.4f} "
                      "where i is the imaginary unit, {:.1f} and {:.1f} where i is the index 1",
                      nearest(unit), nearest(unit_moved), nearest(number), nearest(number_moved))};
}

/// Number of differing elements of two lists, over the length of the first.
template <class Number>
int differing(const std::vector<Number>& x, const std::vector<Number>& y) {
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += x[i] != y[i];
  return count;
}

evidence rows_of_two_lengths() {
  const cos_sin_rows shorter = rotary_embedding(512, llama_2), longer = rotary_embedding(1024, llama_2);
  const int rows = differing(shorter.cos, longer.cos) + differing(shorter.sin, longer.sin);
  const auto dynamic_at = [](std::int64_t length) {
    return inv_freqs<double>({.rotary_dim = 128,
                              .scaling = dynamic{.factor = 2, .max_position_embeddings = 4096},
                              .seq_len = length});
  };
  const int within = differing(dynamic_at(2048), dynamic_at(4096)),
            beyond = differing(dynamic_at(4096), dynamic_at(8192));
  return {rows == 0 && within == 0 && beyond == 63,
          fmt::format("positions 0 to 511 of 64 pairs: {} of 65536 cosines and sines differ between lengths "
                      "512 and 1024\ndynamic NTK, factor 2, 4096 positions: {} of 64 frequencies differ "
                      "between lengths 2048 and 4096, {} between 4096 and 8192",
                      rows, within, beyond)};
}

evidence rotated_before_the_call() {
  const attention_example sample = four_tokens();
  const attention_rows queries = exact(sample.queries), keys = exact(sample.keys);
  const attention_rows called =
      attention(turned(queries, sample.positions), turned(keys, sample.positions), exact(sample.values))
          .scores;
  const auto row_of = [](const attention_rows& x, int row) {
    return matrix_of(1, four, [&](int, int channel) { return x.at(row, channel); });
  };
  const attention_rows rows = matrix_of(four, four, [&](int query, int key) {
    const position_list distance{static_cast<double>(key - query)};
    return attention_scores(row_of(queries, query), turned(row_of(keys, key), distance)).at(0, 0);
  });
  const int same = agreeing_entries(called, rows),
            without = agreeing_entries(attention_scores(queries, keys), rows);
  return {same == 16 && without < 16,
          fmt::format("4 tokens: {} of 16 scores of a call with rotated queries and keys are q_m . R_(n-m) "
                      "k_n / sqrt(d), {} of 16 of a call with unrotated ones",
                      same, without)};
}

bool is_zero_exactly(const scalar& x) { return is_exact(x) && is_zero(x.midpoint); }

/// Number of rows with two nonzero elements.
int rows_of_two_elements(const rotation_matrix<attention_limbs>& rotation, int channels, pairing layout) {
  int rows = 0;
  for (int row = 0; row < channels; ++row) {
    int elements = 0;
    for (int column = 0; column < channels; ++column)
      elements += !is_zero_exactly(rotation.at(row, column, layout));
    rows += elements == 2;
  }
  return rows;
}

evidence elements_of_the_rotation() {
  const int channels = 64;
  const rotation_matrix<attention_limbs> rotation({.rotary_dim = channels}, 5);
  const int interleaved = rows_of_two_elements(rotation, channels, pairing::interleaved),
            halves = rows_of_two_elements(rotation, channels, pairing::half_split);
  return {interleaved == channels && halves == channels,
          fmt::format("64 channels: 2 of 64 elements are not 0 in {} of the 64 rows of R_5 with interleaved "
                      "pairs, in {} with half-split ones; two products per channel suffice",
                      interleaved, halves)};
}

/// A complex number, or a pair of channels.
struct point {
  scalar x, y;
};
scalar inner(const point& a, const point& b) { return a.x * b.x + a.y * b.y; }
scalar radius_of(const point& a) { return square_root(inner(a, a)); }
/// The imaginary part of a conj(b): |a| |b| times the sine of the difference of their angles.
scalar turn_between(const point& a, const point& b) { return a.y * b.x - a.x * b.y; }

evidence inner_products_and_angles() {
  const auto at = [](int x, int y) { return point{scalar::of(x), scalar::of(y)}; };
  const point query = at(1, 1), key = at(1, 0), other = at(1, 0);
  const scalar product = inner(query, key), same = inner(other, other);
  const scalar radii = radius_of(query) * radius_of(key), other_radii = radius_of(other) * radius_of(other);
  const scalar turn = turn_between(query, key), other_turn = turn_between(other, other);
  const attention_rows rotated = turned(attention_rows(1, four, {scalar::of(3), scalar::of(4), {}, {}}), {9});
  const scalar radius_at_9 = radius_of({rotated.at(0, 0), rotated.at(0, 1)});
  return {compare(product, same) == order::equal && compare(radii, other_radii) == order::greater &&
              compare(turn, other_turn) == order::greater && agree(radius_at_9, scalar::of(5)),
          fmt::format("(1, 1) . (1, 0) = {} = (1, 0) . (1, 0) = {}, with products of radii {:.4f} and {}; "
                      "the complex products are {} + {} i and {} + {} i\n(3, 4) rotated to position 9 has "
                      "the radius {}, that of (3, 4)",
                      nearest(product), nearest(same), nearest(radii), nearest(other_radii), nearest(product),
                      nearest(turn), nearest(same), nearest(other_turn), nearest(radius_at_9))};
}

/// Scores of four tokens, and scores of the same tokens with every position moved by 0.5.
struct moved_scores {
  attention_rows here, there;
  int same() const { return agreeing_entries(here, there); }
};

template <class Scores>
moved_scores before_and_after_moving(const Scores& scores) {
  const attention_example sample = four_tokens();
  return {scores(sample), scores(moved(sample, 0.5))};
}

evidence relative_scores_beside_rotation() {
  const auto rotated_in = [](pairing layout) {
    return before_and_after_moving([layout](const attention_example& sample) {
      const auto rotated = [&](const matrix<double>& rows) {
        return rotated_rows(exact(rows), sample.positions, four_channels, layout);
      };
      return attention_scores(rotated(sample.queries), rotated(sample.keys));
    });
  };
  const moved_scores even_odd = rotated_in(pairing::interleaved), halves = rotated_in(pairing::half_split);
  const alibi both_sides{.heads = 8, .form = alibi_form::symmetric};
  const moved_scores biased = before_and_after_moving([&](const attention_example& sample) {
    return attention_scores(exact(sample.queries), exact(sample.keys)) +
           linear_biases<attention_limbs>(sample.positions, sample.positions, 0, both_sides);
  });
  const moved_scores added = before_and_after_moving([](const attention_example& sample) {
    const auto with_rows = [&](const matrix<double>& rows) {
      return with_sinusoids(exact(rows), sample.positions, four_sinusoids);
    };
    return attention_scores(with_rows(sample.queries), with_rows(sample.keys));
  });
  const bool is_relative = even_odd.same() == 16 && halves.same() == 16 && biased.same() == 16;
  return {
      is_relative && added.same() == 0,
      fmt::format("4 tokens, all positions moved by 0.5: of 16 scores {} stay the same with rotated even-odd "
                  "pairs, {} with rotated half-split pairs, {} with ALiBi's biases and no rotation, {} with "
                  "sinusoids added",
                  even_odd.same(), halves.same(), biased.same(), added.same())};
}

/// Queries rotated by one 2 x 2 product per pair, from a list of cosines and a list of sines.
attention_rows by_pairwise_products(const attention_rows& rows, const position_list& positions) {
  attention_rows rotated = rows;
  for (int row = 0; row < rows.rows(); ++row) {
    std::vector<scalar> cosines, sines;
    for (int pair = 0; pair < pair_count(four_channels); ++pair) {
      const auto point = cos_sin_of_radians(rope_inv_freq<attention_limbs>(pair, four_channels) *
                                            scalar::of(positions[static_cast<std::size_t>(row)]));
      cosines.push_back(point.cos), sines.push_back(point.sin);
    }
    for (int pair = 0; pair < pair_count(four_channels); ++pair) {
      const scalar &x = rows.at(row, 2 * pair), &y = rows.at(row, 2 * pair + 1);
      const scalar &cosine = cosines[static_cast<std::size_t>(pair)],
                   &sine = sines[static_cast<std::size_t>(pair)];
      rotated.at(row, 2 * pair) = x * cosine - y * sine;
      rotated.at(row, 2 * pair + 1) = x * sine + y * cosine;
    }
  }
  return rotated;
}

std::string frequencies_of_width(int channels) {
  const rope config{.base = 10000, .rotary_dim = channels};
  std::string text;
  for (int pair = 0; pair < pair_count(config); ++pair)
    text += fmt::format("{}{}", pair == 0 ? "" : ", ", nearest(rope_inv_freq<attention_limbs>(pair, config)));
  return text;
}

evidence frequencies_of_every_head() {
  const attention_example sample = four_tokens();
  const attention_rows queries = exact(sample.queries);
  const int same =
      agreeing_entries(by_pairwise_products(queries, sample.positions), turned(queries, sample.positions));
  const std::string in_head = frequencies_of_width(4), in_hidden = frequencies_of_width(8);
  return {same == 16 && in_head == "1, 0.01" && in_hidden == "1, 0.1, 0.01, 0.001",
          fmt::format("8 hidden channels are two heads of 4, each with theta = [{0}]: [{0}, {0}] in all, and "
                      "not [{1}]\n4 tokens of 4 channels: {2} of 16 numbers by 2 x 2 products, from a list "
                      "of cosines and one of sines, are those of the rotation matrix",
                      in_head, in_hidden, same)};
}

}  // namespace

std::vector<claim> rotation_steps_claims() {
  return {
      {.number = 42,
       .documents = {document::study_notes},
       .statement = "a position is a real number, planes are pairs of even and odd channels, and a score of "
                    "q, k and i - j is best achieved by rotation",
       .decided = verdict::corrected,
       .correction = "real positions hold. Planes may be any pairs that queries and keys share, as halves of "
                     "a head. Rotation is not the only way: a bias by the distance, or opposite radii, make "
                     "a score relative, too, and \"best\" names no quantity",
       .witness = "relative_scores_beside_rotation; theorem opposite_radii_keep_the_score_relative",
       .run = relative_scores_beside_rotation},
      {.number = 43,
       .documents = {document::roformer_notes},
       .statement = "each section of the hidden channels has its own theta; 2 x 2 products of pairs suffice, "
                    "with all cosines and sines as separate lists",
       .decided = verdict::corrected,
       .correction =
           "each pair of a head has its own theta, and every head has the same ones; 2 x 2 products "
           "and separate lists suffice",
       .witness = "frequencies_of_every_head; theorem three_forms_of_the_rotation_are_one_map",
       .run = frequencies_of_every_head},
      {.number = 83,
       .documents = {document::study_notes},
       .statement = "every plane of a token's query and key is rotated by its angle theta_n",
       .decided = verdict::corrected,
       .correction = "by position x theta_n, as the same document notes later: one angle for every token "
                     "would change no score",
       .witness =
           "one_angle_for_every_token; theorem transposed_rotation_times_rotation_is_that_of_the_distance",
       .run = one_angle_for_every_token},
      {.number = 84,
       .documents = {document::study_notes},
       .statement = "the rotary angles are those that the sinusoidal encoding defined",
       .decided = verdict::corrected,
       .correction =
           "the formula is; d is the rotated width of a head in the one, and the model's width in the other",
       .witness = "frequencies_of_sinusoids",
       .run = frequencies_of_sinusoids},
      {.number = 85,
       .documents = {document::roformer_notes},
       .statement = "in f_q = (W_q x_m) e^(i m theta), i is the index of the vectors",
       .decided = verdict::refuted,
       .correction = "i is the imaginary unit, which makes the factor a rotation; with a real number the "
                     "score would depend on m + n",
       .witness = "index_or_imaginary_unit; theorem three_forms_of_the_rotation_are_one_map",
       .run = index_or_imaginary_unit},
      {.number = 86,
       .documents = {document::roformer_notes},
       .statement = "the positions m and n of the rotation matrix depend on the sequence length",
       .decided = verdict::corrected,
       .correction = "they range over it, but the rotation of a position is the same at every length, unless "
                     "a scaling rule reads the length, as dynamic NTK does beyond max_position_embeddings",
       .witness = "rows_of_two_lengths; law \"growth\"",
       .run = rows_of_two_lengths},
      {.number = 87,
       .documents = {document::roformer_notes},
       .statement = "queries and keys must be rotated before scaled dot-product attention, which computes "
                    "q_m . k_n inside",
       .decided = verdict::holds,
       .correction = "",
       .witness =
           "rotated_before_the_call; theorem transposed_rotation_times_rotation_is_that_of_the_distance",
       .run = rotated_before_the_call},
      {.number = 88,
       .documents = {document::roformer_notes, document::attn_tensors},
       .statement = "the rotation matrix is sparse, and no matrix multiplication is needed",
       .decided = verdict::holds,
       .correction = "",
       .witness = "elements_of_the_rotation; theorem three_forms_of_the_rotation_are_one_map",
       .run = elements_of_the_rotation},
      {.number = 94,
       .documents = {document::blog_post},
       .statement =
           "f_q . f_k = g gives R_f_q R_f_k = R_g and Theta_f_q - Theta_f_k = Theta_g, with R_f(x, m) = x",
       .decided = verdict::corrected,
       .correction = "the complex product f_q conj(f_k) = g gives both, as in RoFormer; an inner product is "
                     "only its real part, which leaves radii and angles open. The radius is |x|",
       .witness = "inner_products_and_angles; theorem opposite_radii_keep_the_score_relative",
       .run = inner_products_and_angles}};
}

}  // namespace ropewalk::claim
