#pragma once
// Canonical bits of sums: every output has the bits of the canonical addition, add_entry.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::addition_laws {

measurement judge_canonical(const checked_addition& kernel, const law_case& test_case);

inline constexpr law<checked_addition> canonical{
    .name = "canonical",
    .statement = "every output has the canonical operation's bits",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-row-in-dtype",
    .needs = {.every_bit_pattern = true},
    .applies = [](const checked_addition& kernel) { return kernel.promised() == promise::canonical; },
    .measure = judge_canonical};

}  // namespace ropewalk::addition_laws
