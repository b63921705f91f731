#pragma once
// The pairs of a rotation that lie in the domain of the bounds.

#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"

namespace ropewalk {

/// Visits every finite pair whose norm, times `headroom`, is in the domain of the bounds:
/// visit(place, input, output).
template <floating_format Float, class Visit>
void for_each_judged_pair(const checked_rotation& kernel, const law_case& test_case, const rotated& done,
                          const enclosure<2>& headroom, Visit visit) {
  for_each_pair(test_case, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(test_case, where);
    const auto x =
        pair_at<Float>(elements_of(test_case, where.tensor), start, kernel.channels_in(where.pair));
    if (!is_finite<Float>(x) ||
        !detail::is_judged<Float>(headroom * headroom * squared_norm(exact<2, Float>(x))))
      return;
    visit(where, x, pair_at<Float>(elements_of(done, where.tensor), start, kernel.channels_out(where.pair)));
  });
}

}  // namespace ropewalk
