#pragma once
// Code range: normalised and binary codes lie in [0, 1], sines in [-1, 1].

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/index_codes/index_codes.hpp"

namespace ropewalk::index_code_laws {

measurement judge_code_range(const checked_index_codes& of, const position_range& given);

inline constexpr law<checked_index_codes> code_range{
    .name = "code-range",
    .statement = "normalised and binary codes lie in [0, 1], sines in [-1, 1]",
    .equality = "order, without tolerance",
    .catches = "digits are -1 and 1",
    .applies = [](const checked_index_codes& of) { return of.config.kind != index_code_kind::integer; },
    .measure = judge_code_range};

}  // namespace ropewalk::index_code_laws
