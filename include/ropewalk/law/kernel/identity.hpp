#pragma once
// Identity: at position 0 a R(0) x = a x. With attention factor 1 nothing is rounded: values are unchanged.

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Every pair at position 0: equal in value where a = 1, otherwise against accuracy_bound.
///
/// domain  all positions 0
template <floating_format Float>
measurement measure_identity(const held_rotation& kernel, const law_case& given) {
  const bool unit = is_unit(given) || kernel.has_attention_one();
  if (!unit) return measure_accuracy<Float>(kernel, given);
  const rotated done = kernel.turned(given);
  measurement m;
  for_each_judged_pair<Float>(
      kernel, given, done, kernel.attention<2>(unit),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        const bool equal = same_value<Float>(x.first, y.first) && same_value<Float>(x.second, y.second);
        record(m, judge_equal(equal), where, [&] {
          return evidence{dtype_of<Float>, 2, {x.first, x.second}, {x.first, x.second}, {y.first, y.second}};
        });
      });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_identity, const held_rotation&, const law_case&);

namespace rotation_laws {

inline constexpr law<held_rotation> identity{
    .name = "identity",
    .statement = "position 0 multiplies by a and does nothing else",
    .norm = "a|x|",
    .equality = "equal values where a is 1; otherwise the bound of accuracy",
    .proof = "proofs/kernel/rotation_bound.md, theorems 7 to 13",
    .catches = "fault-position-off-by-one",
    .trivial = trivial_bound,
    .needs = {.position_zero = true},
    .beyond_limits = [](const held_rotation& kernel) -> std::string_view {
      return kernel.served().has_position(0) ? "" : "position 0 is not served";
    },
    .measure =
        [](const held_rotation& kernel, const law_case& given) {
          return with_format(given.dtype,
                             [&]<class Float>() { return measure_identity<Float>(kernel, given); });
        }};

}  // namespace rotation_laws

}  // namespace ropewalk
