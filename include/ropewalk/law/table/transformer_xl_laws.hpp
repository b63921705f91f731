#pragma once
// Laws of Transformer-XL's scores, for programs from any source. The laws use small integers and four
// channels: sums and the division by sqrt(4) are exact even in binary32, in any order, so equality decides.

#include <array>
#include <cstdint>
#include <functional>

#include "ropewalk/encoding/transformer_xl.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// One head, and the rows of all distances from the number of keys down to 1 - queries; a program uses those
/// that it needs.
struct transformer_xl_example {
  transformer_xl_head<double> head;
  distance_rows<double> distances;
};

/// Computes the scores of one head, [queries, keys]: minus infinity for keys that a query does not see.
using transformer_xl_source = std::function<matrix<double>(const transformer_xl_example&)>;

/// Number of queries, number of keys before them, and the choice of the numbers that all of them hold.
struct segment_lengths {
  int queries = 1;
  int memory = 0;
  int numbers = 0;  // 0 or above
};

/// A program that computes scores.
struct checked_transformer_xl {
  using case_type = segment_lengths;
  using needs_type = no_needs;

  transformer_xl_source scores;
};

namespace detail::transformer_xl_laws {

inline constexpr int channels = 4;

/// Integers from -9 to 9 without an obvious pattern.
inline matrix<double> scattered(int rows, int step) {
  return matrix_of(rows, channels,
                   [&](int i, int j) { return (step * (i * i + 5 * j + 1) + i * j) % 19 - 9.0; });
}

inline transformer_xl_example example_of(const segment_lengths& lengths) {
  require(lengths.queries >= 1, "queries", lengths.queries, "a number above 0");
  require(lengths.memory >= 0, "memory_length", lengths.memory, "a number from 0 up");
  require(lengths.numbers >= 0, "numbers", lengths.numbers, "a number from 0 up");
  const int keys = lengths.memory + lengths.queries;
  const auto rows = [&](int count, int step) { return scattered(count, step + lengths.numbers); };
  return {{rows(lengths.queries, 17), rows(keys, 29), rows(1, 7), rows(1, 11)},
          {rows(keys + lengths.queries, 13), keys}};
}

inline matrix<double> zeros_like(const matrix<double>& x) { return matrix<double>(x.rows(), x.columns()); }

/// Judges holds(query, key, score) for every key that a query sees, or for every other key.
template <class Holds>
void judge_scores(measurement& measured, const matrix<double>& scores, const transformer_xl_example& example,
                  bool visible, Holds holds) {
  const int queries = example.head.queries.rows(), keys = example.head.keys.rows();
  require(scores.rows() == queries && scores.columns() == keys, "scores of a query", scores.columns(),
          "one for each key, a row for each query");
  const attention_mask mask{.keys = visible_keys::causal, .memory_length = keys - queries};
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) {
      if (is_visible(i, j, mask) != visible) continue;
      place where;
      where.token = i;
      where.channel = j;
      record(measured, judge_equal(holds(i, j, scores.at(i, j))), where, [&] {
        return evidence{ROPEWALK_F64, 1, {}, {}, {to_bits(scores.at(i, j))}};
      });
    }
}

}  // namespace detail::transformer_xl_laws

namespace transformer_xl_laws {

measurement judge_masked(const checked_transformer_xl& scores, const segment_lengths& lengths);
measurement judge_memory(const checked_transformer_xl& scores, const segment_lengths& lengths);
measurement judge_four_terms(const checked_transformer_xl& scores, const segment_lengths& lengths);
measurement judge_own_query(const checked_transformer_xl& scores, const segment_lengths& lengths);
measurement judge_own_distance(const checked_transformer_xl& scores, const segment_lengths& lengths);
measurement judge_direct(const checked_transformer_xl& scores, const segment_lengths& lengths);

inline constexpr law<checked_transformer_xl> masked{
    .name = "masked",
    .statement = "keys after the query have the score minus infinity, and no others",
    .equality = "equal values",
    .catches = "scores are not masked",
    .measure = judge_masked};

inline constexpr law<checked_transformer_xl> memory{
    .name = "memory",
    .statement = "a token gives the same scores as memory and as the segment's beginning",
    .equality = "equal values",
    .proof = "proofs/encoding/transformer_xl_proof.cpp, memory_is_an_earlier_part_of_the_segment",
    .catches = "the distance leaves out the memory's length",
    .measure = judge_memory};

inline constexpr law<checked_transformer_xl> four_terms{
    .name = "four-terms",
    .statement = "a score is the sum of its four terms, each computed with the others' inputs at zero",
    .equality = "equal values",
    .proof =
        "proofs/encoding/transformer_xl_proof.cpp, four_terms_are_the_direct_definition; "
        "proofs/encoding/transformer_xl_proof.cpp, "
        "both_shifts_are_the_direct_definition_wherever_a_query_sees",
    .catches = "the two biases are exchanged",
    .measure = judge_four_terms};

inline constexpr law<checked_transformer_xl> own_query{
    .name = "own-query",
    .statement = "no other query changes a score",
    .equality = "equal values",
    .proof = "proofs/encoding/transformer_xl_proof.cpp, visible_entries_come_from_their_own_row_and_distance",
    .catches = "the next query leaks into a score",
    .measure = judge_own_query};

inline constexpr law<checked_transformer_xl> own_distance{
    .name = "own-distance",
    .statement = "no other distance's row changes a score",
    .equality = "equal values",
    .proof = "proofs/encoding/transformer_xl_proof.cpp, visible_entries_come_from_their_own_row_and_distance",
    .catches = "the row of distance 0 leaks into a score",
    .measure = judge_own_distance};

inline constexpr law<checked_transformer_xl> direct{
    .name = "direct",
    .statement = "a score is [(q + u) . k + (q + v) . r] / sqrt(d_head), r of its own distance",
    .equality = "equal values",
    .proof =
        "proofs/encoding/transformer_xl_proof.cpp, four_terms_are_the_direct_definition; "
        "proofs/encoding/transformer_xl_proof.cpp, "
        "both_shifts_are_the_direct_definition_wherever_a_query_sees",
    .catches = "the division by sqrt(d_head) is missing",
    .measure = judge_direct};

inline constexpr std::array all{masked, memory, four_terms, own_query, own_distance, direct};

}  // namespace transformer_xl_laws

}  // namespace ropewalk
