#pragma once
// The laws of kernels that add a row or a bias: x + t, and nothing else changed.

#include <array>
#include <span>

#include "ropewalk/law/addition.hpp"
#include "ropewalk/law/laws.hpp"

namespace ropewalk {

inline constexpr std::array addition_laws{
    law{"canonical",
        "every output has the canonical operation's bits",
        "",
        {.every_bit_pattern = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(
              given, [&]<class Float>() { return detail::measure_canonical_sum<Float>(kernel, given); });
        }},
    law{"accuracy",
        "every element is x + t",
        "(|x|+|t|)",
        {},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(
              given, [&]<class Float>() { return detail::measure_sum_accuracy<Float>(kernel, given); });
        }},
    law{"prefill-decode",
        "a token comes out alike alone, in its batch and in any split of it",
        "",
        {.every_bit_pattern = true, .several_tokens = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(
              given, [&]<class Float>() { return detail::measure_sum_handed_over<Float>(kernel, given); });
        }},
    law{"pass-through",
        "channels that nothing is added to come out bit for bit",
        "",
        {.every_bit_pattern = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(
              given, [&]<class Float>() { return detail::measure_copied<Float>(kernel, given); });
        }},
    law{"non-finite",
        "a NaN or an infinity stays what it is and changes no other element",
        "",
        {.every_bit_pattern = true},
        [](const held_kernel& kernel, const law_case& given) {
          return detail::by_dtype(
              given, [&]<class Float>() { return detail::measure_non_finite_sum<Float>(kernel, given); });
        }},
};

/// Every law of a kernel's operation.
inline std::span<const law> laws_of(ropewalk_operation operation) {
  if (operation == ROPEWALK_ROTATE) return laws;
  return addition_laws;
}

/// Whether a law speaks of what is added: nothing passes through a width that is added to as a whole.
inline bool speaks_of(const law& of, const held_kernel& kernel) {
  return kernel.operation() == ROPEWALK_ROTATE || of.name != "pass-through" ||
         kernel.addition().added() < kernel.addition().width();
}

}  // namespace ropewalk
