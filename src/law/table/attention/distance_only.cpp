#include "ropewalk/law/table/attention/distance_only.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk {

namespace detail::attention_law {

measurement measure_distance_only(const attention_rule& rule, const attention_example& given) {
  measurement m;
  const result here = rule(given);
  for (const double distance : {1.0, -3.5, 4096.0, 1048576.0}) {
    const result there = rule(moved(given, distance));
    judge_entries(m, here.scores.rows(), here.scores.columns(), entries_of(here.scores),
                  entries_of(there.scores));
    judge_entries(m, here.outputs.rows(), here.outputs.columns(), entries_of(here.outputs),
                  entries_of(there.outputs));
  }
  return m;
}

}  // namespace detail::attention_law

measurement attention_laws::judge_distance_only(const checked_attention& of, const attention_example& given) {
  return detail::attention_law::measure_distance_only(of.attend, given);
}

}  // namespace ropewalk
