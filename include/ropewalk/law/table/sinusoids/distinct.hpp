#pragma once
// Distinct: no two rows are equal that correct rounding must keep apart.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/bound.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_distinct(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> distinct{
    .name = "distinct",
    .statement = "rows that rounding must keep apart are distinct",
    .equality = "rows that differ",
    .proof =
        "proofs/encoding/sinusoidal_proof.cpp, pair_zero_tells_1024_positions_apart; "
        "proofs/table/sinusoidal_table_proof.cpp, numbers_up_to_one_lie_at_most_a_unit_apart",
    .catches = "the table is a ring of 64 rows",
    .measure = judge_distinct};

}  // namespace ropewalk::sinusoidal_laws
