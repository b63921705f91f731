#pragma once
// Farther is less: the bias falls as the distance grows, and in a form by the key from each key to the one
// before it.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk::bias_laws {

measurement judge_farther_is_less(const checked_biases& of, const table_length& given);

inline constexpr law<checked_biases> farther_is_less{
    .name = "farther-is-less",
    .statement = "the bias falls as the distance grows",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias rises with the distance",
    .measure = judge_farther_is_less};

}  // namespace ropewalk::bias_laws
