#pragma once
// Two calls that ask for the same result must agree: in bits where the kernel promises bits, otherwise within
// twice its accuracy bound.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/law/kernel/accuracy.hpp"

namespace ropewalk {

/// Judges one pair that two calls should give alike.
template <floating_format Float>
void judge_agreement(measurement& measured, const checked_rotation& kernel, const place& where, bool unit,
                     bits_pair<Float> x, bits_pair<Float> expected, bits_pair<Float> got) {
  if (!promises_bits(kernel.promised())) {
    const enclosure<2> a = kernel.attention<2>(unit);
    if (!is_finite<Float>(x) || !detail::is_judged<Float>(a * a * squared_norm(exact<2, Float>(x)))) return;
    if (!is_finite<Float>(expected)) return;  // the accuracy law reports it
    const auto bound = agreement_bound(kernel.accuracy_at<Float>(where.position, where.pair, unit));
    const auto want = [&]<int N>() -> exact_output<N> {
      const enclosure<N> factor = kernel.attention<N>(unit);
      return {exact<N, Float>(expected), factor * factor * squared_norm(exact<N, Float>(x))};
    };
    return judge_pair<Float>(measured, where, x, got, bound, want, trivial_difference_bound);
  }
  const bool equal =
      same_bits<Float>(expected.first, got.first) && same_bits<Float>(expected.second, got.second);
  record(measured, judge_equal(equal), where, [&] {
    return evidence{
        dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {got.first, got.second}};
  });
}

}  // namespace ropewalk
