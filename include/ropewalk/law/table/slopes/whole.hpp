#pragma once
// Whole: head h of the first P has exactly 2^(-8 h / P), if that is a power of two, where P is the largest
// power of two not above the number of heads.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/slopes/slopes.hpp"

namespace ropewalk::slope_laws {

measurement judge_whole(const checked_slopes& of, const whole_table&);

inline constexpr law<checked_slopes> whole{
    .name = "whole",
    .statement = "head h of the first P has exactly 2^(-8 h / P) where that is a power of two",
    .equality = "equal bits",
    .proof = "proofs/encoding/alibi_proof.cpp, formula_holds_for_powers_of_two_alone",
    .catches = "exponents are counted from zero",
    .measure = judge_whole};

}  // namespace ropewalk::slope_laws
