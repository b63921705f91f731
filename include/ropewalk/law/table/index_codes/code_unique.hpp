#pragma once
// Code unique: no two positions share a binary code.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk::index_code_laws {

measurement judge_code_unique(const checked_index_codes& of, const position_range& given);

inline constexpr law<checked_index_codes> code_unique{
    .name = "code-unique",
    .statement = "no two positions share a binary code",
    .equality = "codes that differ",
    .proof = "proofs/encoding/index_code_proof.cpp, binary_codes_give_their_positions_back",
    .catches = "every position has the first one's code",
    .applies = detail::is_binary,
    .measure = judge_code_unique};

}  // namespace ropewalk::index_code_laws
