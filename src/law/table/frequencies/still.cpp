#include "ropewalk/law/table/frequencies/still.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

measurement measure_still(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    return treatment_of(pair, config) == treatment::still ? exactly(0) : anything(got);
  });
}

}  // namespace detail

measurement frequency_laws::judge_still(const checked_frequencies& of, const whole_table&) {
  return detail::measure_still(of.tables, of.config);
}

}  // namespace ropewalk
