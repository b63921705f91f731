#pragma once
// Memory as a longer segment.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// The same tokens, the earlier ones as memory or as the beginning of the segment.
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
    .measure = [](const held_transformer_xl& of, const segment_lengths& given) {
      return detail::transformer_xl_laws::measure_memory(of.scores, given);
    }};

}  // namespace transformer_xl_laws

}  // namespace ropewalk
