#include "ropewalk/law/table/xpos/norm.hpp"

#include <cstddef>
#include <cstdint>

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

}  // namespace detail::xpos_laws

measurement xpos_laws::judge_norm(const checked_xpos_rows& of, const listed_positions& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::xpos_laws::measure_norm<Float>(of.rows, given, of.config);
  });
}

}  // namespace ropewalk
