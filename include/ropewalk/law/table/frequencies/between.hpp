#pragma once
// No scaled frequency leaves the range that its rule spans.

#include <algorithm>
#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

inline measurement measure_between(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) == treatment::still) return anything(got);
    const std::uint64_t unscaled = nearest_unscaled(pair, config), divided = nearest_divided(pair, config);
    return {std::min(unscaled, divided), std::max(unscaled, divided)};
  });
}

}  // namespace detail

namespace frequency_laws {

inline constexpr law<held_frequencies> between{
    .name = "between",
    .statement = "a scaled frequency lies between f and f over the factor",
    .applies = [](const held_frequencies& of) { return !treats_some(treatment::replaced, of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_between(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
