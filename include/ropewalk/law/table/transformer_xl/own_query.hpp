#pragma once
// Own query: no other query changes a score.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk::transformer_xl_laws {

measurement judge_own_query(const checked_transformer_xl& of, const segment_lengths& given);

inline constexpr law<checked_transformer_xl> own_query{
    .name = "own-query",
    .statement = "no other query changes a score",
    .equality = "equal values",
    .proof = "proofs/encoding/transformer_xl_proof.cpp, visible_entries_come_from_their_own_row_and_distance",
    .catches = "the next query leaks into a score",
    .measure = judge_own_query};

}  // namespace ropewalk::transformer_xl_laws
