#pragma once
// Norm: a pair's norm is z^exponent in queries and 1 over it in keys.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/xpos/xpos.hpp"

namespace ropewalk {

namespace detail::xpos_laws {

template <floating_format Float>
measurement measure_norm(const xpos_source& source, const listed_positions& given, const xpos& config) {
  measurement m;
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    for (const std::int64_t position : given.positions) {
      const auto row = checked_row(source, position, side, config);
      for (std::size_t pair = 0; pair < row.size(); ++pair) {
        place where;
        where.position = static_cast<std::int32_t>(position);
        where.pair = static_cast<int>(pair);
        const auto scale = [&]<int N>() {
          return xpos_scale<N>(static_cast<int>(pair), position, side, config);
        };
        record(m, judge_rounded_norm<Float>(row[pair], scale), where, [] { return evidence{}; });
      }
    }
  return m;
}
ROPEWALK_COMPILED_LAW(measure_norm, const xpos_source&, const listed_positions&, const xpos&);

}  // namespace detail::xpos_laws

namespace xpos_laws {

inline constexpr law<held_xpos_rows> norm{
    .name = "norm",
    .statement = "a pair grows by z^exponent in queries and shrinks by it in keys",
    .norm = "scale^2",
    .proof =
        "proofs/encoding/xpos_proof.cpp, pair_has_the_norm_of_its_scale; "
        "proofs/kernel/rotation_bound.md, lemma 1, for each entry",
    .catches = "the scale is missing",
    .bound_in = squared_norm_bound_in,
    .measure = [](const held_xpos_rows& of, const listed_positions& given) {
      return with_format(of.dtype, [&]<class Float>() {
        return detail::xpos_laws::measure_norm<Float>(of.rows, given, of.config);
      });
    }};

}  // namespace xpos_laws

}  // namespace ropewalk
