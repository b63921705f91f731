#pragma once
// Still: pairs beyond the live ones have frequency 0.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

inline measurement measure_still(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    return treatment_of(pair, config) == treatment::still ? exactly(0) : anything(got);
  });
}

}  // namespace detail

namespace frequency_laws {

inline constexpr law<held_frequencies> still{
    .name = "still",
    .statement = "pairs beyond the rotated ones have frequency 0",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/rope_scaling_proof.cpp, "
        "dead_pairs_are_exactly_zero_and_live_ones_as_in_the_whole_head",
    .catches = "pairs that should stand still turn, at their divided frequency",
    .applies = [](const held_frequencies& of) { return treats_some(treatment::still, of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_still(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
