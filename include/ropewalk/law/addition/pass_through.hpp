#pragma once
// Pass-through of sums: channels that nothing is added to are copied bit for bit.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::addition_laws {

measurement judge_pass_through(const checked_addition& kernel, const law_case& test_case);

inline constexpr law<checked_addition> pass_through{
    .name = "pass-through",
    .statement = "channels that nothing is added to come out bit for bit",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-rest-zeroed",
    .needs = {.every_bit_pattern = true},
    .applies = [](const checked_addition& kernel) { return kernel.truth().added() < kernel.truth().width(); },
    .measure = judge_pass_through};

}  // namespace ropewalk::addition_laws
