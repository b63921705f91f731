#pragma once
// Kept: a pair that the rule leaves alone has its unscaled frequency.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk::frequency_laws {

measurement judge_kept(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> kept{
    .name = "kept",
    .statement = "a pair that the rule leaves alone has its unscaled frequency",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "kept pairs are one ulp too large",
    .applies = [](const checked_frequencies& of) { return treats_some(treatment::kept, of.config); },
    .measure = judge_kept};

}  // namespace ropewalk::frequency_laws
