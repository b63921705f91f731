#pragma once
// Memory: a token gives the same scores as memory and as the beginning of the segment.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk::transformer_xl_laws {

measurement judge_memory(const checked_transformer_xl& of, const segment_lengths& given);

inline constexpr law<checked_transformer_xl> memory{
    .name = "memory",
    .statement = "a token gives the same scores as memory and as the segment's beginning",
    .equality = "equal values",
    .proof = "proofs/encoding/transformer_xl_proof.cpp, memory_is_an_earlier_part_of_the_segment",
    .catches = "the distance leaves out the memory's length",
    .measure = judge_memory};

}  // namespace ropewalk::transformer_xl_laws
