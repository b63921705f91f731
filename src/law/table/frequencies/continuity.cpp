#include "ropewalk/law/table/frequencies/continuity.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

measurement measure_continuity(const frequency_source& tables, const rope& config) {
  const std::vector<std::uint64_t> table = table_of(tables, config);
  const auto holds = [&](int pair, std::uint64_t first, std::uint64_t second) {
    return config.scaling.visit([&](const auto& rule) {
      if constexpr (has_ramp<decltype(rule)>)
        return may_be_continuous<6>(rule, pair, config, before_rounding<6>(first),
                                    before_rounding<6>(second));
      else
        return true;
    });
  };
  measurement m;
  for (int pair = 0; pair + 1 < pair_count(config); ++pair) {
    const std::uint64_t first = table[static_cast<std::size_t>(pair)];
    const std::uint64_t second = table[static_cast<std::size_t>(pair) + 1];
    const bool are_numbers = first < format<double>::infinity && second < format<double>::infinity;
    place where;
    where.pair = pair;
    record(m, judge_equal(are_numbers && holds(pair, first, second)), where, [&] {
      return evidence{ROPEWALK_F64, 2, {}, {}, {first, second}};
    });
  }
  return m;
}

}  // namespace detail

measurement frequency_laws::judge_continuity(const checked_frequencies& of, const whole_table&) {
  return detail::measure_continuity(of.tables, of.config);
}

}  // namespace ropewalk
