#pragma once
// Falling: the slopes of the first P heads fall from head to head, where P is the largest power of two not
// above the number of heads.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk::slope_laws {

measurement judge_falling(const checked_slopes& of, const whole_table&);

inline constexpr law<checked_slopes> falling{
    .name = "falling",
    .statement = "slopes of the first P heads fall from head to head",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "two heads are exchanged",
    .applies = [](const checked_slopes& of) { return detail::formula_heads(of.config.heads) > 1; },
    .measure = judge_falling};

}  // namespace ropewalk::slope_laws
