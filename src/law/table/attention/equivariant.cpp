#include "ropewalk/law/table/attention/equivariant.hpp"

#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

measurement measure_equivariant(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result before = rule(given);
  for_each_order(given.queries.rows(), [&](const std::vector<int>& order) {
    judge_reordered(m, before, rule(reordered(given, order)), order);
  });
  return m;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_equivariant(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_equivariant(of.attend, given);
}

}  // namespace ropewalk
