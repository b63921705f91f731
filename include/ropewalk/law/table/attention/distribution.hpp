#pragma once
// Distribution: the weights of a query are not negative and sum to 1.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk::attention_laws {

measurement judge_distribution(const checked_attention& of, const attention_example& given);

inline constexpr law<checked_attention> distribution{
    .name = "distribution",
    .statement = "the weights of a query are not negative and sum to 1",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "exponentials are not divided by their sum",
    .measure = judge_distribution};

}  // namespace ropewalk::attention_laws
