#pragma once
// Causal: keys after the query have weight 0, and no other keys have.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk::attention_laws {

measurement judge_causal(const checked_attention& of, const attention_example& given);

inline constexpr law<checked_attention> causal{
    .name = "causal",
    .statement = "keys after the query, and no others, have weight 0",
    .equality = "exact zeros",
    .catches = "the mask begins one key too late",
    .applies = [](const checked_attention& of) { return of.traits.is_causal; },
    .measure = judge_causal};

}  // namespace ropewalk::attention_laws
