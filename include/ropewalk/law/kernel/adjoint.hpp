#pragma once
// Adjoint: backward is the transpose of forward, <a R x, y> = <x, a R^T y>, which makes it the gradient.

#include "ropewalk/law/kernel/relative_position.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Bound of |<forward x, y> - <x, backward y>|. Each side is off by at most relative a |x||y| + absolute
/// sqrt(pairs) times the norm of the other head: the relative constant doubles, and the absolute one is
/// multiplied by |x| + |y| in allowed_score_error.
constexpr pair_bound adjoint_bound(const pair_bound& accuracy) {
  return {2 * accuracy.relative, accuracy.absolute};
}

namespace rotation_laws {

measurement judge_adjoint(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> adjoint{
    .name = "adjoint",
    .statement = "<forward x, y> = <x, backward y>",
    .norm = "a|x||y|",
    .proof = "proofs/kernel/rotation_bound.md, section 6, adjoint",
    .catches = "fault-inverse-attention",
    .trivial = trivial_difference_bound,
    .bound_from = adjoint_bound,
    .needs = {.key = true, .as_many_key_heads = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      if (kernel.served().lacks(ROPEWALK_NO_BACKWARD)) return "backward is not served";
      return kernel.served().lacks(ROPEWALK_NO_KEY) ? "a key is not served" : "";
    },
    .measure = judge_adjoint};

}  // namespace rotation_laws

}  // namespace ropewalk
