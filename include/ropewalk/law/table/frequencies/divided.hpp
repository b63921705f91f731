#pragma once
// Divided: a pair beyond the ramp has its frequency divided by the whole factor.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk::frequency_laws {

measurement judge_divided(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> divided{
    .name = "divided",
    .statement = "a pair beyond the ramp has its frequency divided by the factor",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "divided pairs are one ulp too large",
    .applies = [](const checked_frequencies& of) { return treats_some(treatment::divided, of.config); },
    .measure = judge_divided};

}  // namespace ropewalk::frequency_laws
