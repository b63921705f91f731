#pragma once
// Identity: at position 0 a R(0) x = a x; with attention factor 1 nothing is rounded, and the values come
// back.

#include "ropewalk/law/accuracy.hpp"

namespace ropewalk {

/// Equal, except that the two zeros are one value.
template <floating_format Float>
bool same_value(bits_of<Float> a, bits_of<Float> b) {
  return same_bits<Float>(a, b) || (magnitude<Float>(a) == 0 && magnitude<Float>(b) == 0);
}

/// Every pair at position 0, equal in value where a = 1, otherwise against accuracy_bound.
///
/// domain  all positions 0
template <floating_format Float>
measurement measure_identity(const held_kernel& kernel, const law_case& given) {
  const bool unit = is_unit(given) || kernel.has_attention_one();
  if (!unit) return measure_accuracy<Float>(kernel, given);
  const rotated done = kernel.rotate(given);
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

}  // namespace ropewalk
