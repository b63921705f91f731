#pragma once
// Toeplitz: equal tokens at consecutive positions have scores that are constant along diagonals.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk::attention_laws {

measurement judge_toeplitz(const checked_attention& of, const attention_example& given);

inline constexpr law<checked_attention> toeplitz{
    .name = "toeplitz",
    .statement = "equal tokens at neighbouring positions have scores constant along diagonals",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof =
        "proofs/encoding/attention_proof.cpp, transposed_rotation_times_rotation_is_that_of_the_distance; "
        "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "scores depend on the key's position, counted from the first position given",
    .applies = [](const checked_attention& of) { return !of.traits.has_positions || of.traits.is_relative; },
    .measure = judge_toeplitz};

}  // namespace ropewalk::attention_laws
