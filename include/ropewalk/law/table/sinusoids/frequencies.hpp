#pragma once
// Frequencies: the sines of position 1 fall with the pair, strictly where rounding keeps them apart. With a
// scale above 1 they need not.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk::sinusoidal_laws {

measurement judge_frequencies(const checked_sinusoids& of, const position_range& given);

inline constexpr law<checked_sinusoids> frequencies{
    .name = "frequencies",
    .statement = "the sines of position 1 fall with the pair, strictly where rounding keeps them apart",
    .equality = "order, without tolerance",
    .proof = "proofs/encoding/sinusoidal_proof.cpp, frequencies_fall_strictly_with_the_pair",
    .catches = "the pairs are in the opposite order",
    .applies = [](const checked_sinusoids& of) { return !of.config.padding_idx && of.config.scale <= 1; },
    .measure = judge_frequencies};

}  // namespace ropewalk::sinusoidal_laws
