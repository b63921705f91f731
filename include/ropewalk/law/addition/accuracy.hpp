#pragma once
// Accuracy of sums: every element is x + t, within the error that the kernel promises.

#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::addition_laws {

measurement judge_accuracy(const checked_addition& kernel, const law_case& test_case);

inline constexpr law<checked_addition> accuracy{.name = "accuracy",
                                                .statement = "every element is x + t",
                                                .norm = "(|x|+|t|)",
                                                .proof = "proofs/kernel/addition_bound.md",
                                                .catches = "fault-sinusoidal-off-by-one",
                                                .trivial = trivial_bound,
                                                .measure = judge_accuracy};

}  // namespace ropewalk::addition_laws
