#pragma once
// Memory: a token gives the same scores as memory and as the beginning of the segment.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// Scores of the same tokens, with the earlier ones as memory and as the beginning of the segment.
inline measurement measure_memory(const transformer_xl_source& source, const segment_lengths& lengths) {
  const int keys = lengths.queries + lengths.memory;
  const transformer_xl_example whole = example_of({keys, 0, lengths.numbers});
  transformer_xl_example cut = whole;
  cut.head.queries = matrix_of(lengths.queries, channels,
                               [&](int i, int c) { return whole.head.queries.at(lengths.memory + i, c); });
  cut.distances = rows_between(whole.distances, keys, 1 - lengths.queries);
  const matrix<double> all = source(whole);
  measurement m;
  judge_scores(m, source(cut), cut, true,
               [&](int i, int j, double score) { return score == all.at(lengths.memory + i, j); });
  return m;
}

}  // namespace detail::transformer_xl_laws

namespace transformer_xl_laws {

inline constexpr law<held_transformer_xl> memory{
    .name = "memory",
    .statement = "a token gives the same scores as memory and as the segment's beginning",
    .equality = "equal values",
    .proof = "proofs/encoding/transformer_xl_proof.cpp, memory_is_an_earlier_part_of_the_segment",
    .catches = "the distance leaves out the memory's length",
    .measure = [](const held_transformer_xl& of, const segment_lengths& given) {
      return detail::transformer_xl_laws::measure_memory(of.scores, given);
    }};

}  // namespace transformer_xl_laws

}  // namespace ropewalk
