#pragma once
// Mirrored: in the symmetric form, keys ahead and behind have the same bias.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk::bias_laws {

measurement judge_mirrored(const checked_biases& of, const table_length& given);

inline constexpr law<checked_biases> mirrored{
    .name = "mirrored",
    .statement = "keys ahead and behind have the same bias",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "keys ahead have twice the slope",
    .applies = [](const checked_biases& of) { return of.config.form == alibi_form::symmetric; },
    .measure = judge_mirrored};

}  // namespace ropewalk::bias_laws
