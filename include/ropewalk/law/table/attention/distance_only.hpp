#pragma once
// Distance only: moving all positions by one distance changes no score and no output.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk::attention_laws {

measurement judge_distance_only(const checked_attention& of, const attention_example& given);

inline constexpr law<checked_attention> distance_only{
    .name = "distance-only",
    .statement = "all tokens moved by one distance have the same scores and outputs",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "scores depend on the key's position in place of the distance",
    .applies = [](const checked_attention& of) { return !of.traits.has_positions || of.traits.is_relative; },
    .measure = judge_distance_only};

}  // namespace ropewalk::attention_laws
