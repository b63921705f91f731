#pragma once
// Geometric: the slopes of the first P heads are powers of the first, where P is the largest power of two not
// above the number of heads.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk::slope_laws {

measurement judge_geometric(const checked_slopes& of, const whole_table&);

inline constexpr law<checked_slopes> geometric{
    .name = "geometric",
    .statement = "slopes of the first P heads are powers of the first",
    .equality = "some real numbers that round to the entries keep the law: no tolerance",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "the first slope is four ulps too large",
    .applies = [](const checked_slopes& of) { return detail::formula_heads(of.config.heads) > 1; },
    .measure = judge_geometric};

}  // namespace ropewalk::slope_laws
