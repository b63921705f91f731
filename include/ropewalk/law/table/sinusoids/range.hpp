#pragma once
// Range: every value lies in [-1, 1].

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_range(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> range{
    .name = "range",
    .statement = "every value lies in [-1, 1]",
    .equality = "order, without tolerance",
    .proof =
        "proofs/encoding/sinusoidal_proof.cpp, every_pair_lies_on_the_unit_circle; "
        "proofs/table/sinusoidal_table_proof.cpp, rounded_values_stay_in_range",
    .catches = "entries from one half up are doubled, except at position 0",
    .measure = judge_range};

}  // namespace ropewalk::sinusoidal_laws
