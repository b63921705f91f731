#include "ropewalk/law/table/attention/distribution.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

measurement measure_distribution(const attention_rule& rule, const attention_example& given) {
  const matrix<attention_real> weights = rule(given).weights;
  measurement m;
  for (int i = 0; i < weights.rows(); ++i) {
    attention_real sum{};
    bool has_negative = false;
    for (const attention_real& w : weights.row(i)) {
      sum = sum + w;
      has_negative = has_negative || compare(w, attention_real{}) == order::less;
    }
    judge_entry(m, !has_negative && agree(sum, attention_real::of(1)), i, 0);
  }
  return m;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_distribution(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_distribution(of.attend, given);
}

}  // namespace ropewalk
