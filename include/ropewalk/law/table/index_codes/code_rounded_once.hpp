#pragma once
// Code rounded once: every number is the exact one correctly rounded, ties to even.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk::index_code_laws {

measurement judge_code_rounded_once(const checked_index_codes& of, const position_range& given);

inline constexpr law<checked_index_codes> code_rounded_once{
    .name = "code-rounded-once",
    .statement = "every number is the exact one rounded once, ties to even",
    .equality = "equal values",
    .catches = "positions are counted from one",
    .measure = judge_code_rounded_once};

}  // namespace ropewalk::index_code_laws
