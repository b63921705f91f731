#include "ropewalk/law/table/learned_laws.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Every position of the table, bit for bit.
measurement measure_served(const checked_learned_rows& rows) {
  measurement measured;
  const learned_lookup lookup = lookup_of(rows);
  const auto width = static_cast<std::size_t>(rows.config.d_model);
  for (std::int64_t position = 0; position < rows.config.max_position_embeddings; ++position) {
    const auto got = lookup(position);
    place where;
    where.position = static_cast<std::int32_t>(position);
    bool equal = got && got->size() == width;
    for (int channel = 0; equal && channel < rows.config.d_model; ++channel) {
      equal = (*got)[static_cast<std::size_t>(channel)] ==
              learned_weight(rows.dtype, rows.config, position, channel);
      where.channel = channel;
    }
    record(measured, judge_equal(equal), where, [] { return evidence{}; });
  }
  return measured;
}

/// Positions next to the table and far from it, which a lookup that wraps or clamps would serve.
measurement measure_refused(const checked_learned_rows& rows) {
  const std::int64_t length = rows.config.max_position_embeddings;
  const learned_lookup lookup = lookup_of(rows);
  measurement measured;
  for (const std::int64_t position : {std::int64_t{-1}, -length, length, length + 1, 2 * length,
                                      std::int64_t{1} << 32, smallest_position}) {
    place where;
    where.position = static_cast<std::int32_t>(position);
    record(measured, judge_equal(!lookup(position)), where, [] { return evidence{}; });
  }
  return measured;
}

}  // namespace detail

measurement learned_laws::judge_served(const checked_learned_rows& rows, const whole_table&) {
  return detail::measure_served(rows);
}

measurement learned_laws::judge_refused(const checked_learned_rows& rows, const whole_table&) {
  return detail::measure_refused(rows);
}

}  // namespace ropewalk
