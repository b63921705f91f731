#pragma once
// Refusals: a call that kernel.h forbids is refused, and nothing is written.

#include <cstdint>
#include <string>
#include <string_view>

#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Records how a kernel answered one invalid call.
inline void judge_refusal(measurement& m, std::string_view words, std::int32_t status, bool was_written) {
  const bool is_refused = status == ROPEWALK_INVALID_ARGUMENT || status == ROPEWALK_UNSUPPORTED;
  const bool holds = is_refused && !was_written;
  if (!holds && m.trouble.empty())
    m.trouble = std::string(words) + (is_refused ? ": refused, but something was written"
                                                 : ": status " + std::to_string(status) + ", not refused");
  record(m, judge_equal(holds), {}, [] { return evidence{}; });
}

/// Why a kernel's limits leave no invalid call; empty if they leave some.
template <class Kernel>
std::string_view why_without_refusals(const Kernel& kernel) {
  return kernel.served().lacks(ROPEWALK_NO_CHECKS) ? "invalid calls are not served" : "";
}

}  // namespace detail

/// Every invalid call derived from the case must return ROPEWALK_INVALID_ARGUMENT or ROPEWALK_UNSUPPORTED,
/// and change no byte.
inline measurement measure_refusals(const held_rotation& kernel, const law_case& given) {
  measurement m;
  kernel.ask_invalid(given, [&](std::string_view words, std::int32_t status, bool was_written) {
    detail::judge_refusal(m, words, status, was_written);
  });
  return m;
}

namespace rotation_laws {

inline constexpr law<held_rotation> refusals{
    .name = "refusals",
    .statement = "a call that kernel.h forbids is refused, and nothing is written",
    .equality = "the status, and every byte of the tensors",
    .catches = "fault-any-range",
    .needs = {.few_elements = true},
    .beyond_limits = detail::why_without_refusals<held_rotation>,
    .measure = measure_refusals};

}  // namespace rotation_laws

}  // namespace ropewalk
