#pragma once
// Continuity: the scaling of neighbouring pairs differs by at most what the slope of the rule's ramp allows.

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

}  // namespace detail

namespace frequency_laws {

measurement judge_continuity(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> continuity{
    .name = "continuity",
    .statement = "neighbours differ by no more than the ramp's slope allows",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .catches = "pairs on the ramp keep their frequency, so that it jumps at the end",
    .applies =
        [](const checked_frequencies& of) {
          return of.config.scaling.visit([](const auto& rule) { return has_ramp<decltype(rule)>; });
        },
    .measure = judge_continuity};

}  // namespace frequency_laws

}  // namespace ropewalk
