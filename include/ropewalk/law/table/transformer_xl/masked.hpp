#pragma once
// Masked: keys after the query, and no others, have the score minus infinity.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/transformer_xl/transformer_xl.hpp"

namespace ropewalk::transformer_xl_laws {

measurement judge_masked(const checked_transformer_xl& of, const segment_lengths& given);

inline constexpr law<checked_transformer_xl> masked{
    .name = "masked",
    .statement = "keys after the query have the score minus infinity, and no others",
    .equality = "equal values",
    .catches = "scores are not masked",
    .measure = judge_masked};

}  // namespace ropewalk::transformer_xl_laws
