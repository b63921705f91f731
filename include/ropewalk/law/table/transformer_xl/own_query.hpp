#pragma once
// Own query: no other query changes a score.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// Scores of each query must stay when all other queries are zero. A shift that reads the next row fails.
inline measurement measure_own_query(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example given = example_of(lengths);
  const matrix<double> before = source(given);
  measurement m;
  for (int query = 0; query < lengths.queries; ++query) {
    transformer_xl_example alone = given;
    alone.head.queries = matrix_of(lengths.queries, channels, [&](int i, int c) {
      return i == query ? given.head.queries.at(i, c) : 0.0;
    });
    judge_scores(m, source(alone), given, true,
                 [&](int i, int j, double score) { return i != query || score == before.at(i, j); });
  }
  return m;
}

}  // namespace detail::transformer_xl_laws

namespace transformer_xl_laws {

inline constexpr law<held_transformer_xl> own_query{
    .name = "own-query",
    .statement = "no other query changes a score",
    .equality = "equal values",
    .proof = "proofs/encoding/transformer_xl_proof.cpp, visible_entries_come_from_their_own_row_and_distance",
    .catches = "the next query leaks into a score",
    .measure = [](const held_transformer_xl& of, const segment_lengths& given) {
      return detail::transformer_xl_laws::measure_own_query(of.scores, given);
    }};

}  // namespace transformer_xl_laws

}  // namespace ropewalk
