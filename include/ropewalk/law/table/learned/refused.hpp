#pragma once
// Refused: a lookup refuses positions outside its table.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/learned/learned.hpp"

namespace ropewalk::learned_laws {

measurement judge_refused(const checked_learned_rows& of, const whole_table&);

inline constexpr law<checked_learned_rows> refused{.name = "refused",
                                                   .statement = "a position outside the table is refused",
                                                   .equality = "an error in place of a row",
                                                   .catches = "positions outside the table are clamped to it",
                                                   .measure = judge_refused};

}  // namespace ropewalk::learned_laws
