#include "ropewalk/law/table/transformer_xl/memory.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// Scores of the same tokens, with the earlier ones as memory and as the beginning of the segment.
measurement measure_memory(const transformer_xl_source& source, const segment_lengths& lengths) {
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

measurement transformer_xl_laws::judge_memory(const checked_transformer_xl& of,
                                              const segment_lengths& given) {
  return detail::transformer_xl_laws::measure_memory(of.scores, given);
}

}  // namespace ropewalk
