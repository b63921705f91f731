#pragma once
// Kinds of positions, for sums: a whole number gives the same bits as an int32 and in binary64.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::addition_laws {

measurement judge_position_kinds(const checked_addition& kernel, const law_case& test_case);

inline constexpr law<checked_addition> position_kinds{
    .name = "position-kinds",
    .statement = "a whole position comes out alike as an int32 and in binary64",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-real-off-by-one",
    .needs = {.every_bit_pattern = true, .whole_positions = true},
    .applies =
        [](const checked_addition& kernel) {
          return kernel.serves_real_positions() && promises_bits(kernel.promised());
        },
    .measure = judge_position_kinds};

}  // namespace ropewalk::addition_laws
