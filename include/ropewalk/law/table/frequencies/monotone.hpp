#pragma once
// Monotone: frequencies never rise from pair to pair.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk::frequency_laws {

measurement judge_monotone(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> monotone{
    .name = "monotone",
    .statement = "frequencies never rise with the pair",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/rope_proof.cpp, rotary_frequencies_fall_strictly_with_the_pair",
    .catches = "pairs that should stand still turn as fast as the first",
    .applies = [](const checked_frequencies& of) { return never_rises(of.config); },
    .measure = judge_monotone};

}  // namespace ropewalk::frequency_laws
