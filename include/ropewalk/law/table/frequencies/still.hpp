#pragma once
// Still: pairs beyond the live ones have frequency 0.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/law/table/frequencies/frequencies.hpp"

namespace ropewalk::frequency_laws {

measurement judge_still(const checked_frequencies& of, const whole_table&);

inline constexpr law<checked_frequencies> still{
    .name = "still",
    .statement = "pairs beyond the rotated ones have frequency 0",
    .equality = "equal bits",
    .proof =
        "proofs/encoding/rope_scaling_proof.cpp, "
        "dead_pairs_are_exactly_zero_and_live_ones_as_in_the_whole_head",
    .catches = "pairs that should stand still turn, at their divided frequency",
    .applies = [](const checked_frequencies& of) { return treats_some(treatment::still, of.config); },
    .measure = judge_still};

}  // namespace ropewalk::frequency_laws
