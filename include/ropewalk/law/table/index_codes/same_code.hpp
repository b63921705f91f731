#pragma once
// Same code: a position has one code, however many positions are asked for.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk::index_code_laws {

measurement judge_same_code(const checked_index_codes& of, const position_range& given);

inline constexpr law<checked_index_codes> same_code{
    .name = "same-code",
    .statement = "a position has one code, however many positions are asked for",
    .equality = "equal values",
    .catches = "codes come from a cache whose key is the last position alone",
    .measure = judge_same_code};

}  // namespace ropewalk::index_code_laws
