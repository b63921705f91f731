#pragma once
// Between: every scaled frequency lies between the unscaled one and the one divided by the whole factor.

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
    .statement = "a scaled frequency lies between f and f / factor",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "pairs on the ramp turn at four times the frequency of its faster end",
    .applies = [](const held_frequencies& of) { return !treats_some(treatment::replaced, of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_between(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
