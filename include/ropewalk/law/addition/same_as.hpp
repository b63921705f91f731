#pragma once
// Same as another kernel: two kernels give equal bits, whatever either promises; every NaN equals every NaN.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::addition_laws {

measurement judge_same_as(const checked_addition& kernel, const law_case& test_case);

/// Not in `all`: the user names the other kernel.
inline constexpr law<checked_addition> same_as{
    .name = "same-as",
    .statement = "every output has the bits that the kernel of --same-as gives",
    .equality = "equal bits",
    .catches = "fault-sinusoidal-rest-zeroed",
    .needs = {.of_every_law = true},
    .applies = [](const checked_addition& kernel) { return kernel.same_as().has_value(); },
    .measure = judge_same_as};

}  // namespace ropewalk::addition_laws
