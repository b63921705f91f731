#pragma once
// Refusals, for sums: a call that kernel.h forbids is refused, and nothing is written.

#include <cstdint>
#include <string_view>

#include "ropewalk/law/addition/held_addition.hpp"
#include "ropewalk/law/kernel/refusals.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace addition_laws {

inline constexpr law<held_addition> refusals{
    .name = "refusals",
    .statement = "a call that kernel.h forbids is refused, and nothing is written",
    .equality = "the status, and every byte of the tensors",
    .catches = "fault-sinusoidal-any-range",
    .needs = {.few_elements = true},
    .beyond_limits = detail::why_without_refusals<held_addition>,
    .measure = [](const held_addition& kernel, const law_case& given) {
      measurement m;
      kernel.ask_invalid(given, [&](std::string_view words, std::int32_t status, bool was_written) {
        detail::judge_refusal(m, words, status, was_written);
      });
      return m;
    }};

}  // namespace addition_laws

}  // namespace ropewalk
