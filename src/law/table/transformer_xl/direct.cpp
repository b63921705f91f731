#include "ropewalk/law/table/transformer_xl/direct.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

/// Every score against [(q_i + u) . k_j + (q_i + v) . r_distance] / 2: sqrt(d_head) is 2.
measurement measure_direct(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example given = example_of(lengths);
  const transformer_xl_head<double>& head = given.head;
  measurement m;
  judge_scores(m, source(given), given, true, [&](int i, int j, double score) {
    const int row = given.distances.first_distance - (lengths.memory + i - j);
    double twice = 0;
    for (int c = 0; c < channels; ++c)
      twice += (head.queries.at(i, c) + head.content_bias.at(0, c)) * head.keys.at(j, c) +
               (head.queries.at(i, c) + head.position_bias.at(0, c)) * given.distances.rows.at(row, c);
    return score == twice / 2;
  });
  return m;
}

}  // namespace detail::transformer_xl_laws

measurement transformer_xl_laws::judge_direct(const checked_transformer_xl& of,
                                              const segment_lengths& given) {
  return detail::transformer_xl_laws::measure_direct(of.scores, given);
}

}  // namespace ropewalk
