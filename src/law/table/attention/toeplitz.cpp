#include "ropewalk/law/table/attention/toeplitz.hpp"

#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

/// All tokens are the first one, so that scores can differ by positions alone.
measurement measure_toeplitz(const attention_rule& rule, const attention_example& given) {
  const std::vector<int> first(given.positions.size(), 0);
  const result r = rule(reordered(given, first));
  measurement m;
  for (int i = 1; i < r.scores.rows(); ++i)
    for (int j = 1; j < r.scores.columns(); ++j)
      judge_entry(m, agree(r.scores.at(i, j), r.scores.at(i - 1, j - 1)), i, j);
  return m;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_toeplitz(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_toeplitz(of.attend, given);
}

}  // namespace ropewalk
