#pragma once
// Frequencies in order.

#include <cstdint>

#include "ropewalk/encoding/longrope.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

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

inline measurement measure_monotone(const frequency_source& tables, const rope& config) {
  std::uint64_t previous = format<double>::infinity - 1;
  return judge_each_pair(tables, config, [&](int, std::uint64_t got) -> frequency_range {
    const frequency_range allowed{0, previous};
    previous = got;
    return allowed;
  });
}

}  // namespace detail

namespace frequency_laws {

inline constexpr law<held_frequencies> monotone{
    .name = "monotone",
    .statement = "frequencies never rise with the pair",
    .applies = [](const held_frequencies& of) { return detail::is_monotone(of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_monotone(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
