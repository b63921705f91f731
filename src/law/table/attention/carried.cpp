#include "ropewalk/law/table/attention/carried.hpp"

#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

measurement measure_carried(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result before = rule(given);
  for_each_order(given.queries.rows(), [&](const std::vector<int>& order) {
    attention_example carried = reordered(given, order);
    for (std::size_t i = 0; i < order.size(); ++i)
      carried.positions[i] = given.positions[static_cast<std::size_t>(order[i])];
    judge_reordered(m, before, rule(carried), order);
  });
  return m;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_carried(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_carried(of.attend, given);
}

}  // namespace ropewalk
