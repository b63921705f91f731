#pragma once
// Divided: a pair beyond the ramp has its frequency divided by the whole factor.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

inline measurement measure_divided(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) != treatment::divided) return anything(got);
    return exactly(nearest_divided(pair, config));
  });
}

}  // namespace detail

namespace frequency_laws {

inline constexpr law<held_frequencies> divided{
    .name = "divided",
    .statement = "a pair beyond the ramp has its frequency divided by the factor",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "divided pairs are one ulp too large",
    .applies = [](const held_frequencies& of) { return treats_some(treatment::divided, of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_divided(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
