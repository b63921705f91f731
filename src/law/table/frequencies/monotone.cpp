#include "ropewalk/law/table/frequencies/monotone.hpp"

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

measurement measure_monotone(const frequency_source& tables, const rope& config) {
  std::uint64_t previous = format<double>::infinity - 1;
  return judge_each_pair(tables, config, [&](int, std::uint64_t got) -> frequency_range {
    const frequency_range allowed{0, previous};
    previous = got;
    return allowed;
  });
}

}  // namespace detail

measurement frequency_laws::judge_monotone(const checked_frequencies& of, const whole_table&) {
  return detail::measure_monotone(of.tables, of.config);
}

}  // namespace ropewalk
