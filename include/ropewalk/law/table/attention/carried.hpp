#pragma once
// Carried: tokens that are reordered together with their positions keep their scores and outputs.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk::attention_laws {

measurement judge_carried(const checked_attention& of, const attention_example& given);

inline constexpr law<checked_attention> carried{
    .name = "carried",
    .statement = "tokens in another order that keep their positions have the same scores and outputs",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "scores depend on the tokens' indices in place of their positions",
    .applies = [](const checked_attention& of) { return of.traits.has_positions && !of.traits.is_causal; },
    .measure = judge_carried};

}  // namespace ropewalk::attention_laws
