#include "ropewalk/law/table/xpos_laws.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail::xpos_laws {

template <floating_format Float>
measurement measure_norm(const xpos_source& source, const listed_positions& test_case, const xpos& config) {
  measurement measured;
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    for (const std::int64_t position : test_case.positions) {
      const auto row = checked_row(source, position, side, config);
      for (std::size_t pair = 0; pair < row.size(); ++pair) {
        place where;
        where.position = static_cast<std::int32_t>(position);
        where.pair = static_cast<int>(pair);
        const auto scale = [&]<int N>() {
          return xpos_scale<N>(static_cast<int>(pair), position, side, config);
        };
        record(measured, judge_rounded_norm<Float>(row[pair], scale), where, [] { return evidence{}; });
      }
    }
  return measured;
}

/// Judges the product of a query's and a key's pair against z^((m - n) / scale_base) cos((m - n) inv_freq),
/// or, if `across`, the same with the sine.
template <floating_format Float>
verdict judge_score(const cos_sin_entry& query, const cos_sin_entry& key, bool across, int pair,
                    std::int64_t count, std::int64_t n, const xpos& config) {
  xpos centred = config;
  centred.length = 0;
  return judge_rounded_product<Float>(query, key, across, [&]<int N>() -> exact_product<N> {
    const auto block = xpos_block<N>(pair, count - n, xpos_side::query, centred);
    return {across ? block.sin : block.cos, xpos_scale<N>(pair, count, xpos_side::query, config),
            xpos_scale<N>(pair, n, xpos_side::key, config)};
  });
}

/// Judges the query at each position with the key at the case's next position.
template <floating_format Float>
measurement measure_relative(const xpos_source& source, const listed_positions& test_case,
                             const xpos& config) {
  measurement measured;
  for (std::size_t i = 0; i + 1 < test_case.positions.size(); ++i) {
    const std::int64_t query = test_case.positions[i], key = test_case.positions[i + 1];
    const auto query_row = checked_row(source, query, xpos_side::query, config);
    const auto key_row = checked_row(source, key, xpos_side::key, config);
    for (std::size_t pair = 0; pair < query_row.size(); ++pair) {
      place where;
      where.position = static_cast<std::int32_t>(query);
      where.pair = static_cast<int>(pair);
      for (const bool across : {false, true})
        record(measured,
               judge_score<Float>(query_row[pair], key_row[pair], across, static_cast<int>(pair), query, key,
                                  config),
               where, [] { return evidence{}; });
    }
  }
  return measured;
}

template <floating_format Float>
measurement measure_rounded_once(const xpos_source& source, const listed_positions& test_case,
                                 const xpos& config) {
  measurement measured;
  for (const xpos_side side : {xpos_side::query, xpos_side::key})
    for (const std::int64_t position : test_case.positions) {
      const auto row = checked_row(source, position, side, config);
      for (std::size_t pair = 0; pair < row.size(); ++pair) {
        const cos_sin_entry want = rounded_once_of<Float>(
            position, [&]<int N>() { return xpos_block<N>(static_cast<int>(pair), position, side, config); });
        const auto cosine = static_cast<bits_of<Float>>(want.cos),
                   sine = static_cast<bits_of<Float>>(want.sin);
        place where;
        where.position = static_cast<std::int32_t>(position);
        where.pair = static_cast<int>(pair);
        record(measured,
               judge_equal(same_value<Float>(static_cast<bits_of<Float>>(row[pair].cos), cosine) &&
                           same_value<Float>(static_cast<bits_of<Float>>(row[pair].sin), sine)),
               where, [&] {
                 return evidence{dtype_of<Float>, 2, {}, {cosine, sine}, {row[pair].cos, row[pair].sin}};
               });
      }
    }
  return measured;
}

}  // namespace detail::xpos_laws

measurement xpos_laws::judge_norm(const checked_xpos_rows& rows, const listed_positions& test_case) {
  return with_format(rows.dtype, [&]<class Float>() {
    return detail::xpos_laws::measure_norm<Float>(rows.rows, test_case, rows.config);
  });
}

measurement xpos_laws::judge_relative(const checked_xpos_rows& rows, const listed_positions& test_case) {
  return with_format(rows.dtype, [&]<class Float>() {
    return detail::xpos_laws::measure_relative<Float>(rows.rows, test_case, rows.config);
  });
}

measurement xpos_laws::judge_rounded_once(const checked_xpos_rows& rows, const listed_positions& test_case) {
  return with_format(rows.dtype, [&]<class Float>() {
    return detail::xpos_laws::measure_rounded_once<Float>(rows.rows, test_case, rows.config);
  });
}

}  // namespace ropewalk
