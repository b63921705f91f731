#include "ropewalk/law/table/frequencies/between.hpp"

#include <algorithm>
#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

measurement measure_between(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) == treatment::still) return anything(got);
    const std::uint64_t unscaled = nearest_unscaled(pair, config), divided = nearest_divided(pair, config);
    return {std::min(unscaled, divided), std::max(unscaled, divided)};
  });
}

}  // namespace detail

measurement frequency_laws::judge_between(const checked_frequencies& of, const whole_table&) {
  return detail::measure_between(of.tables, of.config);
}

}  // namespace ropewalk
