#include "ropewalk/law/table/learned/refused.hpp"

#include <cstdint>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/learned/learned.hpp"

namespace ropewalk {

namespace detail {

/// Positions next to the table and far from it, which a lookup that wraps or clamps would serve.
measurement measure_refused(const checked_learned_rows& of) {
  const std::int64_t length = of.config.max_position_embeddings;
  const learned_lookup lookup = lookup_of(of);
  measurement m;
  for (const std::int64_t position : {std::int64_t{-1}, -length, length, length + 1, 2 * length,
                                      std::int64_t{1} << 32, smallest_position}) {
    place where;
    where.position = static_cast<std::int32_t>(position);
    record(m, judge_equal(!lookup(position)), where, [] { return evidence{}; });
  }
  return m;
}

}  // namespace detail

measurement learned_laws::judge_refused(const checked_learned_rows& of, const whole_table&) {
  return detail::measure_refused(of);
}

}  // namespace ropewalk
