#include "ropewalk/law/table/frequencies/switch_of_lists.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"
#include "ropewalk/law/table/frequencies/lengths.hpp"

namespace ropewalk {

namespace detail {

measurement measure_switch(const frequency_source& tables, const rope& config) {
  const longrope& rule = config.scaling.as<longrope>();
  const auto lengths = lengths_around(rule.original_max_position_embeddings);
  measurement m;
  for (const std::int64_t length : lengths) {
    const factor_list& list = length == lengths[2] ? rule.long_factor : rule.short_factor;
    merge(m, judge_each_pair(tables, at_length(length, config), [&](int pair, std::uint64_t) {
            return exactly(nearest_divided_by(list[pair], pair, config));
          }));
  }
  return m;
}

}  // namespace detail

measurement frequency_laws::judge_switch_of_lists(const checked_frequencies& of, const whole_table&) {
  return detail::measure_switch(of.tables, of.config);
}

}  // namespace ropewalk
