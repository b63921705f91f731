#pragma once
// Toeplitz: the bias depends on the distance alone, and so in a form by the key on the key alone.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk::bias_laws {

measurement judge_toeplitz(const checked_biases& of, const table_length& given);

inline constexpr law<checked_biases> toeplitz{
    .name = "toeplitz",
    .statement = "the bias depends on the distance alone",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias of the key before the query is one ulp off from the third query on",
    .measure = judge_toeplitz};

}  // namespace ropewalk::bias_laws
