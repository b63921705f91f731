#pragma once
// Monotone: frequencies never rise from pair to pair.

#include <cstdint>

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

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
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/rope_proof.cpp, rotary_frequencies_fall_strictly_with_the_pair",
    .catches = "pairs that should stand still turn as fast as the first",
    .applies = [](const held_frequencies& of) { return never_rises(of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_monotone(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
