#pragma once
// Kept: a pair that the rule leaves alone has its unscaled frequency.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk {

namespace detail {

inline measurement measure_kept(const frequency_source& tables, const rope& config) {
  return judge_each_pair(tables, config, [&](int pair, std::uint64_t got) -> frequency_range {
    if (treatment_of(pair, config) != treatment::kept) return anything(got);
    return exactly(nearest_unscaled(pair, config));
  });
}

}  // namespace detail

namespace frequency_laws {

inline constexpr law<held_frequencies> kept{
    .name = "kept",
    .statement = "a pair that the rule leaves alone has its unscaled frequency",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "kept pairs are one ulp too large",
    .applies = [](const held_frequencies& of) { return treats_some(treatment::kept, of.config); },
    .measure = [](const held_frequencies& of,
                  const whole_table&) { return detail::measure_kept(of.tables, of.config); }};

}  // namespace frequency_laws

}  // namespace ropewalk
