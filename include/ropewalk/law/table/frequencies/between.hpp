#pragma once
// Between: every scaled frequency lies between the unscaled one and the one divided by the whole factor.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk::frequency_laws {

measurement judge_between(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> between{
    .name = "between",
    .statement = "a scaled frequency lies between f and f / factor",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/yarn_proof.cpp, ramp_blends_exactly; "
        "proofs/encoding/llama3_proof.cpp, ramp_blends_exactly",
    .catches = "pairs on the ramp turn at four times the frequency of its faster end",
    .applies = [](const checked_frequencies& of) { return !treats_some(treatment::replaced, of.config); },
    .measure = judge_between};

}  // namespace ropewalk::frequency_laws
