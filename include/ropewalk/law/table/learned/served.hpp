#pragma once
// Served: a lookup returns the table's row for every position of the table.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/learned/learned.hpp"

namespace ropewalk::learned_laws {

measurement judge_served(const checked_learned_rows& of, const whole_table&);

inline constexpr law<checked_learned_rows> served{
    .name = "served",
    .statement = "every position of the table returns its row",
    .equality = "equal bits",
    .proof = "proofs/encoding/learned_proof.cpp, rows_are_those_of_the_table",
    .catches = "a position returns its neighbour's row",
    .measure = judge_served};

}  // namespace ropewalk::learned_laws
