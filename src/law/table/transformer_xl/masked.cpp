#include "ropewalk/law/table/transformer_xl/masked.hpp"

#include <limits>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk {

namespace detail::transformer_xl_laws {

measurement measure_masked(const transformer_xl_source& source, const segment_lengths& lengths) {
  const transformer_xl_example given = example_of(lengths);
  const matrix<double> scores = source(given);
  constexpr double none = -std::numeric_limits<double>::infinity();
  measurement m;
  judge_scores(m, scores, given, false, [](int, int, double score) { return score == none; });
  judge_scores(m, scores, given, true, [](int, int, double score) { return score > none; });
  return m;
}

}  // namespace detail::transformer_xl_laws

measurement transformer_xl_laws::judge_masked(const checked_transformer_xl& of,
                                              const segment_lengths& given) {
  return detail::transformer_xl_laws::measure_masked(of.scores, given);
}

}  // namespace ropewalk
