#include "ropewalk/law/table/frequencies/kept.hpp"

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

measurement measure_kept(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) != treatment::kept) return anything(got);
    return exactly(nearest_unscaled(pair, config));
  });
}

}  // namespace detail

measurement frequency_laws::judge_kept(const checked_frequencies& of, const whole_table&) {
  return detail::measure_kept(of.tables, of.config);
}

}  // namespace ropewalk
