#pragma once
// Diagonal: the bias is 0 at distance 0, which in a form by the key is the first key's or the last one's.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk::bias_laws {

measurement judge_diagonal(const checked_biases& of, const table_length& given);

inline constexpr law<checked_biases> diagonal{
    .name = "diagonal",
    .statement =
        "the bias is 0 at the key that distances are counted from: the query's own, of bloom the "
        "first, of mpt the last",
    .equality = "equal values",
    .proof = "proofs/encoding/alibi_proof.cpp, bias_is_toeplitz_and_falls_with_distance",
    .catches = "the bias is BLOOM's: slope x key",
    .measure = judge_diagonal};

}  // namespace ropewalk::bias_laws
