#pragma once
// Prefill equals decode, for sums: a token gives the same bits alone, in its batch and in any split.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::addition_laws {

measurement judge_prefill_decode(const checked_addition& kernel, const law_case& test_case);

inline constexpr law<checked_addition> prefill_decode{
    .name = "prefill-decode",
    .statement = "a token comes out alike alone, in its batch and in any split of it",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-batch-row",
    .needs = {.every_bit_pattern = true, .several_tokens = true},
    .measure = judge_prefill_decode};

}  // namespace ropewalk::addition_laws
