#pragma once
// Row: each query's biases are the paper's up to a constant. A softmax notices violations of this law alone.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/biases/biases.hpp"

namespace ropewalk::bias_laws {

measurement judge_row(const checked_biases& of, const table_length& given);

inline constexpr law<checked_biases> row{
    .name = "row",
    .statement = "the biases of a query are the paper's up to a constant",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, forms_differ_by_a_constant_along_every_causal_row",
    .catches = "the distance is squared",
    .measure = judge_row};

}  // namespace ropewalk::bias_laws
