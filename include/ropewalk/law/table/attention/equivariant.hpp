#pragma once
// Equivariant: without positions, reordering the tokens reorders scores and outputs.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk::attention_laws {

measurement judge_equivariant(const checked_attention& of, const attention_example& given);

inline constexpr law<checked_attention> equivariant{
    .name = "equivariant",
    .statement = "tokens in another order have the same scores and outputs, in that order",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .proof = "proofs/encoding/attention_proof.cpp, scores_follow_every_order_of_the_tokens",
    .catches = "scores depend on the distance, where no positions are claimed",
    .applies = [](const checked_attention& of) { return !of.traits.has_positions && !of.traits.is_causal; },
    .measure = judge_equivariant};

}  // namespace ropewalk::attention_laws
