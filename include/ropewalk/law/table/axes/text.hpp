#pragma once
// Text: with one position on all axes, pairs rotate as on one axis.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/axes/axes.hpp"
#include "ropewalk/law/table/rounded_pairs.hpp"

namespace ropewalk::axes_laws {

measurement judge_text(const checked_axes_rows& of, const listed_positions& given);

inline constexpr law<checked_axes_rows> text{
    .name = "text",
    .statement = "with one position on all axes, each pair turns as on one axis",
    .equality = "equal bits",
    .proof = "proofs/encoding/rope_axes_proof.cpp, tokens_of_text_turn_as_on_one_axis",
    .catches = "every position is one too small",
    .measure = judge_text};

}  // namespace ropewalk::axes_laws
