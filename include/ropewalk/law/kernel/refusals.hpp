#pragma once
// Refusals: a call that kernel.h forbids is refused, and nothing is written.

#include <string_view>

#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Reason why a kernel's limits exclude every invalid call; empty if they do not.
template <class Kernel>
std::string_view why_without_refusals(const Kernel& kernel) {
  return kernel.served().lacks(ROPEWALK_NO_CHECKS) ? "invalid calls are not served" : "";
}

}  // namespace detail

namespace rotation_laws {

measurement judge_refusals(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> refusals{
    .name = "refusals",
    .statement = "a call that kernel.h forbids is refused, and nothing is written",
    .equality = "the status, and every byte of the tensors",
    .catches = "fault-any-range",
    .needs = {.few_elements = true},
    .beyond_limits = detail::why_without_refusals<checked_rotation>,
    .measure = judge_refusals};

}  // namespace rotation_laws

}  // namespace ropewalk
