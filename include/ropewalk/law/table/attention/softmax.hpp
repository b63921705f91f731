#pragma once
// Softmax: the weights are the softmax of the scores, and the outputs the values weighted by them.

#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/attention/attention.hpp"

namespace ropewalk::attention_laws {

measurement judge_softmax(const checked_attention& of, const attention_example& given);

inline constexpr law<checked_attention> softmax{
    .name = "softmax",
    .statement = "weights are the softmax of the scores, and outputs the weighted values",
    .equality = "equal numbers: error radii below 2^-90, and enclosures that overlap",
    .catches = "weights are powers of two in place of exponentials",
    .measure = judge_softmax};

}  // namespace ropewalk::attention_laws
