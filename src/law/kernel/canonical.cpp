#include "ropewalk/law/kernel/canonical.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

/// Every rotated pair against rotate_pair: equal bits.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_canonical(const checked_rotation& kernel, const law_case& test_case) {
  const rotated done = kernel.turned(test_case);
  canonical_rows<Float> rows(kernel, test_case);
  measurement measured;
  for_each_pair(test_case, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(test_case, where);
    const auto x =
        pair_at<Float>(elements_of(test_case, where.tensor), start, kernel.channels_in(where.pair));
    const auto y = pair_at<Float>(elements_of(done, where.tensor), start, kernel.channels_out(where.pair));
    const bits_pair<Float> expected = rotate_pair<Float>(x, rows.at(where));
    const bool equal =
        same_bits<Float>(expected.first, y.first) && same_bits<Float>(expected.second, y.second);
    record(measured, judge_equal(equal), where, [&] {
      return evidence{
          dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {y.first, y.second}};
    });
  });
  return measured;
}

measurement rotation_laws::judge_canonical(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_canonical<Float>(kernel, test_case); });
}

}  // namespace ropewalk
