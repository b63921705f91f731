#pragma once
// Bit period: bit k of a binary code changes every 2^k positions.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk::index_code_laws {

measurement judge_bit_period(const checked_index_codes& of, const position_range& given);

inline constexpr law<checked_index_codes> bit_period{
    .name = "bit-period",
    .statement = "position 0 has no bit set, and bit k changes every 2^k positions",
    .equality = "equal values",
    .proof = "proofs/encoding/index_code_proof.cpp, bit_k_changes_every_2_to_the_k_positions",
    .catches = "the code is a Gray code",
    .applies = detail::is_binary,
    .measure = judge_bit_period};

}  // namespace ropewalk::index_code_laws
