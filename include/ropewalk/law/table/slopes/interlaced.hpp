#pragma once
// Interlaced: slope P + k is the geometric mean of slopes k - 1 and k, where P is the largest power of two
// not above the number of heads.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk::slope_laws {

measurement judge_interlaced(const checked_slopes& of, const whole_table&);

inline constexpr law<checked_slopes> interlaced{
    .name = "interlaced",
    .statement = "slope P + k is the geometric mean of slopes k - 1 and k",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, further_heads_lie_in_the_middle_between_two",
    .catches = "the heads beyond a power of two are in another order",
    .applies =
        [](const checked_slopes& of) { return of.config.heads > detail::formula_heads(of.config.heads); },
    .measure = judge_interlaced};

}  // namespace ropewalk::slope_laws
