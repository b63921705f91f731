#pragma once
// Zeros: the padding's row and the last channel of an odd width are 0.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_zeros(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> zeros{
    .name = "zeros",
    .statement = "the padding's row and the last channel of an odd width are 0",
    .equality = "equal values",
    .proof = "proofs/encoding/sinusoidal_proof.cpp, padding_has_the_zero_row_and_positions_follow_it",
    .catches = "the padding's row holds a number that is not 0",
    .applies =
        [](const checked_sinusoids& of) { return of.config.padding_idx || of.config.d_model % 2 != 0; },
    .measure = judge_zeros};

}  // namespace ropewalk::sinusoidal_laws
