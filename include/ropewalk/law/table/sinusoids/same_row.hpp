#pragma once
// Same row: a position has one row, whatever the length of the table.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_same_row(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> same_row{
    .name = "same-row",
    .statement = "a position has one row, whatever the length of the table",
    .equality = "equal values",
    .proof = "proofs/table/sinusoidal_table_proof.cpp, rows_do_not_depend_on_the_length",
    .catches = "rows come from a cache whose key is the last position alone",
    .measure = judge_same_row};

}  // namespace ropewalk::sinusoidal_laws
