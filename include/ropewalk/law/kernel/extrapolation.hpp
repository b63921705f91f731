#pragma once
// Extrapolation: accuracy in each range of positions [2^k, 2^(k + 1)), both signs. The constant is the same
// in all ranges, unless the promise lets the error grow with the position.

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

inline constexpr int position_ranges = 31;            // k = 0 .. 30: every position but 0 and -2^31
inline constexpr int rotations_in_each_range = 1000;  // pairs rotated, at least

/// Whether some position of +-[2^range, 2^(range + 1)) lies within the limits.
constexpr bool meets_range(position_range limits, int range) {
  const std::int64_t first = std::int64_t{1} << range, end = 2 * first;
  return (limits.begin < end && limits.end > first) || (limits.begin <= -first && limits.end > 1 - end);
}

namespace rotation_laws {

measurement judge_extrapolation(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> extrapolation{
    .name = "extrapolation",
    .statement = "accuracy holds in every range of positions",
    .norm = "a|x|",
    .proof = "proofs/kernel/rotation_bound.md, theorems 7 to 13",
    .catches = "fault-angle-f32",
    .trivial = trivial_bound,
    .needs = {.one_range = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      for (int range = 0; range < position_ranges; ++range)
        if (meets_range(kernel.served().positions(), range)) return "";
      return "no position but 0 is served";
    },
    .measure = judge_extrapolation};

}  // namespace rotation_laws

}  // namespace ropewalk
