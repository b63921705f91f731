#pragma once
// Refused: a lookup refuses positions outside its table.

#include <cstdint>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/learned/learned.hpp"

namespace ropewalk {

namespace detail {

/// Positions next to the table and far from it, which a lookup that wraps or clamps would serve.
inline measurement measure_refused(const held_learned_rows& of) {
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

namespace learned_laws {

inline constexpr law<held_learned_rows> refused{
    .name = "refused",
    .statement = "a position outside the table is refused",
    .equality = "an error in place of a row",
    .catches = "positions outside the table are clamped to it",
    .measure = [](const held_learned_rows& of, const whole_table&) { return detail::measure_refused(of); }};

}  // namespace learned_laws

}  // namespace ropewalk
