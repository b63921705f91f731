#pragma once
// Two laws about how frequencies change from pair to pair: where a rule promises order, and how steep its
// ramp may be.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/longrope.hpp"
#include "ropewalk/law/frequency_ends.hpp"
#include "ropewalk/law/frequency_table.hpp"

namespace ropewalk::detail {

/// Whether the rule promises that frequencies never rise: every factor of 1 or above does, and a list that
/// never falls.
inline bool is_monotone(const rope& config) {
  const rope_scaling& scaling = config.scaling;
  switch (scaling.rule) {
    case scaling_rule::none:
    case scaling_rule::linear:
    case scaling_rule::dynamic:
    case scaling_rule::proportional: return true;
    case scaling_rule::ntk: return scaling.as_ntk.factor >= 1;
    case scaling_rule::llama3: return scaling.as_llama3.factor >= 1;
    case scaling_rule::yarn: {
      const quotient scale = scale_of(scaling.as_yarn);
      return scale.numerator >= scale.denominator;
    }
    case scaling_rule::longrope: {
      const longrope& rule = scaling.as_longrope;
      const factor_list& list = takes_long_list(rule, config.seq_len) ? rule.long_factor : rule.short_factor;
      for (int pair = 1; pair < list.count; ++pair)
        if (list[pair] < list[pair - 1]) return false;
      return true;
    }
  }
  return false;
}

/// The exact number that was rounded to a binary64: within half a unit of its last place.
///
/// domain  a finite number
template <int N>
constexpr enclosure<N> before_rounding(std::uint64_t bits) {
  return {exact_dyadic_of_bits<N, double>(bits), radius_at_least(1, decode<double>(bits).exponent - 1)};
}

/// Whether f' / f of two neighbours can lie as close as the ramp's slope asks, for some numbers that round to
/// the table's: |f'1 / f1 - f'2 / f2| <= |1 - 1 / factor| |distance on the ramp / its length|.
template <int N>
constexpr bool may_be_continuous(int pair, const rope& config, std::uint64_t first, std::uint64_t second) {
  using real = enclosure<N>;
  const auto shared = share<N>(config);
  const real here = before_rounding<N>(first) * base_power<N>(pair, config, shared);
  const real there = before_rounding<N>(second) * base_power<N>(pair + 1, config, shared);
  const place_on_ramp<N> from = place_on_ramp_of<N>(pair, config), to = place_on_ramp_of<N>(pair + 1, config);
  const exact_factor<N> factor = factor_of<N>(config);
  const real step = (to.at - from.at) / (from.divided_end - from.kept_end);
  const real allowed = (factor.numerator - factor.denominator) / factor.numerator * step;
  return compare(absolute(here - there), absolute(allowed)) != order::greater;
}

inline measurement measure_continuity(const frequency_source& tables, const rope& config) {
  const std::vector<std::uint64_t> table = table_of(tables, config);
  measurement m;
  for (int pair = 0; pair + 1 < pair_count(config); ++pair) {
    const std::uint64_t first = table[static_cast<std::size_t>(pair)];
    const std::uint64_t second = table[static_cast<std::size_t>(pair) + 1];
    const bool are_numbers = first < format<double>::infinity && second < format<double>::infinity;
    place where;
    where.pair = pair;
    record(m, judge_equal(are_numbers && may_be_continuous<6>(pair, config, first, second)), where, [&] {
      return evidence{ROPEWALK_F64, 2, {}, {}, {first, second}};
    });
  }
  return m;
}

}  // namespace ropewalk::detail
