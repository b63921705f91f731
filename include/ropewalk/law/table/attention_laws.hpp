#pragma once
// Laws of attention, for implementations from any source. An implementation receives a few tokens of small
// exact numbers, and returns scores, weights and outputs with error radii. Two numbers are equal if both
// radii are below 2^-90 and the enclosures overlap, so a result with a wide radius fails.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "ropewalk/encoding/attention.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

inline constexpr int attention_limbs = 3;
using attention_real = enclosure<attention_limbs>;

/// One head: rows of queries, keys and values, one for each token, and the tokens' positions.
struct attention_example {
  matrix<double> queries;
  matrix<double> keys;
  matrix<double> values;
  std::vector<double> positions;
};

/// An implementation of attention. A program in floating point returns each number with its error as the
/// radius of an enclosure.
using attention_rule = std::function<attention_result<attention_limbs>(const attention_example&)>;

/// Properties that an implementation claims; they decide which laws apply.
struct attention_traits {
  bool has_positions = false;  // results depend on positions
  bool is_relative = false;    // they depend only on distances
  bool is_causal = false;
};

/// Example of pseudorandom multiples of 1/8 in [-2, 2], with tokens at positions 0, 1, 2, ...
inline attention_example example_of(int tokens, int channels, std::uint32_t seed) {
  std::mt19937 next(seed);
  const auto rows = [&] {
    return matrix_of(tokens, channels, [&](int, int) { return (static_cast<double>(next() % 33) - 16) / 8; });
  };
  attention_example example;
  example.queries = rows(), example.keys = rows(), example.values = rows();
  example.positions.resize(static_cast<std::size_t>(tokens));
  std::iota(example.positions.begin(), example.positions.end(), 0.0);
  return example;
}

/// The rows of x in another order: row i of the result is row order[i] of x.
template <class Number>
matrix<Number> rows_in_order(const matrix<Number>& x, const std::vector<int>& order) {
  return matrix_of(x.rows(), x.columns(),
                   [&](int i, int j) { return x.at(order[static_cast<std::size_t>(i)], j); });
}

/// The tokens in another order, with the positions unchanged.
inline attention_example reordered(const attention_example& example, const std::vector<int>& order) {
  return {rows_in_order(example.queries, order), rows_in_order(example.keys, order),
          rows_in_order(example.values, order), example.positions};
}

/// The tokens with every position moved by the same distance.
inline attention_example moved(attention_example example, double distance) {
  for (double& position : example.positions) position += distance;
  return example;
}

/// Equality in these laws: both radii are below 2^-90, and the enclosures overlap.
inline bool agree(const attention_real& x, const attention_real& y) {
  constexpr radius widest{std::uint32_t{1} << 31, -121};  // 2^-90
  return x.error < widest && y.error < widest && may_be_zero(x - y);
}

/// An implementation of attention, and the properties that it claims.
struct checked_attention {
  using case_type = attention_example;
  using needs_type = no_needs;

  attention_rule attend;
  attention_traits traits;
};

namespace detail::attention_law {

using result = attention_result<attention_limbs>;

/// Records one comparison at (query, key or channel).
inline void judge_entry(measurement& measured, bool holds, int row, int column) {
  place where;
  where.token = row;
  where.channel = column;
  record(measured, judge_equal(holds), where, [] { return evidence{}; });
}

/// Judges agree(x(i, j), y(i, j)) for all entries.
template <class X, class Y>
void judge_entries(measurement& measured, int rows, int columns, const X& x, const Y& y) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) judge_entry(measured, agree(x(i, j), y(i, j)), i, j);
}

inline auto entries_of(const matrix<attention_real>& x) {
  return [&x](int i, int j) -> const attention_real& { return x.at(i, j); };
}

/// Judges whether scores and outputs of `after` are those of `before` with the tokens in another order.
inline void judge_reordered(measurement& measured, const result& before, const result& after,
                            const std::vector<int>& order) {
  const auto at = [&](int i) { return order[static_cast<std::size_t>(i)]; };
  judge_entries(measured, after.scores.rows(), after.scores.columns(), entries_of(after.scores),
                [&](int i, int j) { return before.scores.at(at(i), at(j)); });
  judge_entries(measured, after.outputs.rows(), after.outputs.columns(), entries_of(after.outputs),
                [&](int i, int j) { return before.outputs.at(at(i), j); });
}

/// Visits every order of the tokens: visit(order).
template <class Visit>
void for_each_order(int tokens, Visit visit) {
  std::vector<int> order(static_cast<std::size_t>(tokens));
  std::iota(order.begin(), order.end(), 0);
  do visit(order);
  while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace detail::attention_law

namespace attention_laws {

measurement judge_equivariant(const checked_attention& attention, const attention_example& example);
measurement judge_carried(const checked_attention& attention, const attention_example& example);
measurement judge_distance_only(const checked_attention& attention, const attention_example& example);
measurement judge_toeplitz(const checked_attention& attention, const attention_example& example);
measurement judge_distribution(const checked_attention& attention, const attention_example& example);
measurement judge_softmax(const checked_attention& attention, const attention_example& example);
measurement judge_causal(const checked_attention& attention, const attention_example& example);

inline constexpr law<checked_attention> equivariant{
    .name = "equivariant",
    .statement = "tokens in another order have the same scores and outputs, in that order",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof = "proofs/encoding/attention_proof.cpp, scores_follow_every_order_of_the_tokens",
    .catches = "scores depend on the distance, where no positions are claimed",
    .applies =
        [](const checked_attention& attention) {
          return !attention.traits.has_positions && !attention.traits.is_causal;
        },
    .measure = judge_equivariant};

inline constexpr law<checked_attention> carried{
    .name = "carried",
    .statement = "tokens in another order that keep their positions have the same scores and outputs",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "scores depend on the tokens' indices in place of their positions",
    .applies =
        [](const checked_attention& attention) {
          return attention.traits.has_positions && !attention.traits.is_causal;
        },
    .measure = judge_carried};

inline constexpr law<checked_attention> distance_only{
    .name = "distance-only",
    .statement = "all tokens moved by one distance have the same scores and outputs",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "scores depend on the key's position in place of the distance",
    .applies =
        [](const checked_attention& attention) {
          return !attention.traits.has_positions || attention.traits.is_relative;
        },
    .measure = judge_distance_only};

inline constexpr law<checked_attention> toeplitz{
    .name = "toeplitz",
    .statement = "equal tokens at neighbouring positions have scores constant along diagonals",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "scores depend on the key's position, counted from the first position given",
    .applies =
        [](const checked_attention& attention) {
          return !attention.traits.has_positions || attention.traits.is_relative;
        },
    .measure = judge_toeplitz};

inline constexpr law<checked_attention> distribution{
    .name = "distribution",
    .statement = "the weights of a query are not negative and sum to 1",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "exponentials are not divided by their sum",
    .measure = judge_distribution};

inline constexpr law<checked_attention> softmax{
    .name = "softmax",
    .statement = "weights are the softmax of the scores, and outputs the weighted values",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "weights are powers of two in place of exponentials",
    .measure = judge_softmax};

inline constexpr law<checked_attention> causal{
    .name = "causal",
    .statement = "keys after the query, and no others, have weight 0",
    .equality = "exact zeros",
    .catches = "the mask begins one key too late",
    .applies = [](const checked_attention& attention) { return attention.traits.is_causal; },
    .measure = judge_causal};

inline constexpr std::array all{equivariant, carried, distance_only, toeplitz, distribution, softmax, causal};

}  // namespace attention_laws

}  // namespace ropewalk
