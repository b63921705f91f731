#pragma once
// Shift: a pair `distance` positions on is the pair rotated by distance x frequency.

#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/bound.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_shift(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> shift{
    .name = "shift",
    .statement = "a shift by a distance rotates each pair by distance x frequency",
    .norm = "absolute",
    .proof =
        "proofs/encoding/sinusoidal_shift_proof.cpp, one_rotation_shifts_every_position; "
        "proofs/table/sinusoidal_table_proof.cpp, numbers_up_to_one_lie_at_most_a_unit_apart",
    .catches = "cosines have a frequency of their own",
    .bound_in = sinusoidal_shift_bound_in,
    .measure = judge_shift};

}  // namespace ropewalk::sinusoidal_laws
