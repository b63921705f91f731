#include "ropewalk/law/table/xpos/relative.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/xpos/xpos.hpp"

namespace ropewalk {

namespace detail::xpos_laws {

/// Judges the product of a query's and a key's pair against z^((m - n) / scale_base) cos((m - n) inv_freq),
/// or, if `across`, the same with the sine.
template <floating_format Float>
verdict judge_score(const cos_sin_entry& query, const cos_sin_entry& key, bool across, int pair,
                    std::int64_t m, std::int64_t n, const xpos& config) {
  xpos centred = config;
  centred.length = 0;
  return judge_rounded_product<Float>(query, key, across, [&]<int N>() -> exact_product<N> {
    const auto block = xpos_block<N>(pair, m - n, xpos_side::query, centred);
    return {across ? block.sin : block.cos, xpos_scale<N>(pair, m, xpos_side::query, config),
            xpos_scale<N>(pair, n, xpos_side::key, config)};
  });
}

/// Judges the query at each position with the key at the case's next position.
template <floating_format Float>
measurement measure_relative(const xpos_source& source, const listed_positions& given, const xpos& config) {
  measurement m;
  for (std::size_t i = 0; i + 1 < given.positions.size(); ++i) {
    const std::int64_t query = given.positions[i], key = given.positions[i + 1];
    const auto query_row = checked_row(source, query, xpos_side::query, config);
    const auto key_row = checked_row(source, key, xpos_side::key, config);
    for (std::size_t pair = 0; pair < query_row.size(); ++pair) {
      place where;
      where.position = static_cast<std::int32_t>(query);
      where.pair = static_cast<int>(pair);
      for (const bool across : {false, true})
        record(m,
               judge_score<Float>(query_row[pair], key_row[pair], across, static_cast<int>(pair), query, key,
                                  config),
               where, [] { return evidence{}; });
    }
  }
  return m;
}

}  // namespace detail::xpos_laws

measurement xpos_laws::judge_relative(const checked_xpos_rows& of, const listed_positions& given) {
  return with_format(of.dtype, [&]<class Float>() {
    return detail::xpos_laws::measure_relative<Float>(of.rows, given, of.config);
  });
}

}  // namespace ropewalk
