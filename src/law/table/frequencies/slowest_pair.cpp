#include "ropewalk/law/table/frequencies/slowest_pair.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

measurement measure_slowest_pair(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    return pair == pair_count(config) - 1 ? exactly(nearest_divided(pair, config)) : anything(got);
  });
}

}  // namespace detail

measurement frequency_laws::judge_slowest_pair(const checked_frequencies& of, const whole_table&) {
  return detail::measure_slowest_pair(of.tables, of.config);
}

}  // namespace ropewalk
