#include "ropewalk/law/table/transformer_xl/own_query.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// Scores of each query must stay when all other queries are zero. A shift that reads the next row fails.
measurement measure_own_query(const transformer_xl_source& source, const segment_lengths& lengths) {
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

measurement transformer_xl_laws::judge_own_query(const checked_transformer_xl& of,
                                                 const segment_lengths& given) {
  return detail::transformer_xl_laws::measure_own_query(of.scores, given);
}

}  // namespace ropewalk
