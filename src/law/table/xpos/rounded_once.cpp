#include "ropewalk/law/table/xpos/rounded_once.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/xpos/xpos.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail::xpos_laws {

template <floating_format Float>
measurement measure_rounded_once(const xpos_source& source, const listed_positions& given,
                                 const xpos& config) {
  measurement m;
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    for (const std::int64_t position : given.positions) {
      const auto row = checked_row(source, position, side, config);
      for (std::size_t pair = 0; pair < row.size(); ++pair) {
        const cos_sin_entry want = rounded_once_of<Float>(
            position, [&]<int N>() { return xpos_block<N>(static_cast<int>(pair), position, side, config); });
        const auto cosine = static_cast<bits_of<Float>>(want.cos),
                   sine = static_cast<bits_of<Float>>(want.sin);
        place where;
        where.position = static_cast<std::int32_t>(position);
        where.pair = static_cast<int>(pair);
        record(m,
               judge_equal(same_value<Float>(static_cast<bits_of<Float>>(row[pair].cos), cosine) &&
                           same_value<Float>(static_cast<bits_of<Float>>(row[pair].sin), sine)),
               where, [&] {
                 return evidence{dtype_of<Float>, 2, {}, {cosine, sine}, {row[pair].cos, row[pair].sin}};
               });
      }
    }
  return m;
}

}  // namespace detail::xpos_laws

measurement xpos_laws::judge_rounded_once(const checked_xpos_rows& of, const listed_positions& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::xpos_laws::measure_rounded_once<Float>(of.rows, given, of.config);
  });
}

}  // namespace ropewalk
