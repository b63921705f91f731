#include "ropewalk/law/table/attention/causal.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

measurement measure_causal(const attention_rule& rule, const attention_example& given) {
  const matrix<attention_real> weights = rule(given).weights;
  measurement m;
  for (int i = 0; i < weights.rows(); ++i)
    for (int j = 0; j < weights.columns(); ++j) {
      const bool is_none = is_exact(weights.at(i, j)) && is_zero(weights.at(i, j).midpoint);
      judge_entry(m, is_none == (j > i), i, j);
    }
  return m;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_causal(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_causal(of.attend, given);
}

}  // namespace ropewalk
