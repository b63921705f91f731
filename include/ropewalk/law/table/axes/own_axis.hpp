#pragma once
// Own axis: a pair depends on the position on its own axis alone.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/axes/axes.hpp"

namespace ropewalk::axes_laws {

measurement judge_own_axis(const checked_axes_rows& of, const listed_positions& given);

inline constexpr law<checked_axes_rows> own_axis{
    .name = "own-axis",
    .statement = "a pair depends on the position on its own axis alone",
    .equality = "equal bits",
    .catches = "height and width are exchanged",
    .measure = judge_own_axis};

}  // namespace ropewalk::axes_laws
