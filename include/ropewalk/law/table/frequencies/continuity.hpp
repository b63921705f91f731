#pragma once
// Continuity: the scaling of neighbouring pairs differs by at most what the slope of the rule's ramp allows.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

/// Whether |f'1 / f1 - f'2 / f2| <= |1 - 1 / factor| |distance on the ramp / its length| for two neighbouring
/// pairs and some of the scaled frequencies f' that are given; f is the unscaled frequency.
template <int N, has_ramp Rule>
bool may_be_continuous(const Rule& rule, int pair, const rope& config, const enclosure<N>& first,
                       const enclosure<N>& second) {
  using real = enclosure<N>;
  const auto shared = share<N>(config);
  const real here = first * base_power<N>(pair, config, shared);
  const real there = second * base_power<N>(pair + 1, config, shared);
  const place_on_ramp<N> from = place_on_ramp_of<N>(rule, pair, config, shared),
                         to = place_on_ramp_of<N>(rule, pair + 1, config, shared);
  const exact_factor<N> factor = whole_factor<N>(rule, config);
  const real step = (to.at - from.at) / (from.divided_end - from.kept_end);
  const real allowed = (factor.numerator - factor.denominator) / factor.numerator * step;
  return compare(absolute(here - there), absolute(allowed)) != order::greater;
}

inline measurement measure_continuity(const frequency_source& tables, const rope& config) {
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

namespace frequency_laws {

inline constexpr law<held_frequencies> continuity{
    .name = "continuity",
    .statement = "neighbours differ by no more than the ramp's slope allows",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .catches = "pairs on the ramp keep their frequency, so that it jumps at the end",
    .applies =
        [](const held_frequencies& of) {
          return of.config.scaling.visit([](const auto& rule) { return has_ramp<decltype(rule)>; });
        },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_continuity(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
