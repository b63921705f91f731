#include "ropewalk/law/table/transformer_xl/own_distance.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// Scores at each distance must stay when the rows of all other distances are zero.
measurement measure_own_distance(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example given = example_of(lengths);
  const matrix<double> before = source(given);
  measurement m;
  for (int distance = 0; distance < lengths.queries + lengths.memory; ++distance) {
    transformer_xl_example alone = given;
    const int row = given.distances.first_distance - distance;
    alone.distances.rows = matrix_of(given.distances.rows.rows(), channels, [&](int i, int c) {
      return i == row ? given.distances.rows.at(i, c) : 0.0;
    });
    judge_scores(m, source(alone), given, true, [&](int i, int j, double score) {
      return lengths.memory + i - j != distance || score == before.at(i, j);
    });
  }
  return m;
}

}  // namespace detail::transformer_xl_laws

measurement transformer_xl_laws::judge_own_distance(const checked_transformer_xl& of,
                                                    const segment_lengths& given) {
  return detail::transformer_xl_laws::measure_own_distance(of.scores, given);
}

}  // namespace ropewalk
