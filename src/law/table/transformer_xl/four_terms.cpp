#include "ropewalk/law/table/transformer_xl/four_terms.hpp"

#include <array>
#include <cstddef>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// Every score against the sum of four scores, in each of which only the inputs of one term are not zero.
measurement measure_four_terms(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example given = example_of(lengths);
  std::array<transformer_xl_example, 4> alone{given, given, given, given};
  for (std::size_t term = 0; term < 4; ++term) {
    transformer_xl_example& of = alone[term];
    // Terms 0 to 3: q . k, q . r, u . k, v . r.
    const bool has_query = term < 2, has_key = term % 2 == 0;
    if (!has_query) of.head.queries = zeros_like(of.head.queries);
    if (!has_key) of.head.keys = zeros_like(of.head.keys);
    if (has_key) of.distances.rows = zeros_like(of.distances.rows);
    if (has_query || !has_key) of.head.content_bias = zeros_like(of.head.content_bias);
    if (has_query || has_key) of.head.position_bias = zeros_like(of.head.position_bias);
  }
  matrix<double> sum = source(alone[0]);
  for (std::size_t term = 1; term < 4; ++term) sum = sum + source(alone[term]);
  measurement m;
  judge_scores(m, source(given), given, true,
               [&](int i, int j, double score) { return score == sum.at(i, j); });
  return m;
}

}  // namespace detail::transformer_xl_laws

measurement transformer_xl_laws::judge_four_terms(const checked_transformer_xl& of,
                                                  const segment_lengths& given) {
  return detail::transformer_xl_laws::measure_four_terms(of.scores, given);
}

}  // namespace ropewalk
