#include "ropewalk/law/kernel/identity.hpp"

#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Every pair at position 0: equal in value where a = 1, otherwise against accuracy_bound.
///
/// domain  all positions 0
template <floating_format Float>
measurement measure_identity(const checked_rotation& kernel, const law_case& test_case) {
  const bool unit = is_unit(test_case) || kernel.has_attention_one();
  if (!unit) return measure_accuracy<Float>(kernel, test_case);
  const rotated done = kernel.turned(test_case);
  measurement measured;
  for_each_judged_pair<Float>(
      kernel, test_case, done, kernel.attention<2>(unit),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        const bool equal = same_value<Float>(x.first, y.first) && same_value<Float>(x.second, y.second);
        record(measured, judge_equal(equal), where, [&] {
          return evidence{dtype_of<Float>, 2, {x.first, x.second}, {x.first, x.second}, {y.first, y.second}};
        });
      });
  return measured;
}

measurement rotation_laws::judge_identity(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_identity<Float>(kernel, test_case); });
}

}  // namespace ropewalk
