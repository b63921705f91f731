#include "ropewalk/law/kernel/non_finite.hpp"

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/agreement.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
bool holds_nan(bits_pair<Float> x) {
  return is_nan<Float>(x.first) || is_nan<Float>(x.second);
}

}  // namespace detail

/// Finite pairs against the same call with finite values in place of the non-finite ones: equal bits, or
/// agreement_bound where no bits are promised. Of the other pairs, one that holds a NaN must give two NaNs,
/// and one that holds infinities must give at least one output that is not finite: an infinity times a zero
/// cosine or sine is a NaN, times any other an infinity.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_non_finite(const checked_rotation& kernel, const law_case& test_case) {
  const rotated done = kernel.turned(test_case);
  const law_case without = detail::with_finite_values<Float>(test_case);
  const rotated finite = kernel.turned(without);
  measurement measured;
  for_each_pair(test_case, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(test_case, where);
    const channel_pair out = kernel.channels_out(where.pair);
    const auto x =
        pair_at<Float>(elements_of(test_case, where.tensor), start, kernel.channels_in(where.pair));
    const auto y = pair_at<Float>(elements_of(done, where.tensor), start, out);
    if (is_finite<Float>(x))
      return judge_agreement<Float>(measured, kernel, where, is_unit(test_case), x,
                                    pair_at<Float>(elements_of(finite, where.tensor), start, out), y);
    const bool infinite = !detail::holds_nan<Float>(x);
    const bits_of<Float> shown = infinite ? format<Float>::infinity : format<Float>::quiet_nan;
    const bool equal = infinite ? !is_finite<Float>(y) : is_nan<Float>(y.first) && is_nan<Float>(y.second);
    record(measured, judge_equal(equal), where, [&] {
      return evidence{dtype_of<Float>, 2, {x.first, x.second}, {shown, shown}, {y.first, y.second}};
    });
  });
  return measured;
}

measurement rotation_laws::judge_non_finite(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype,
                     [&]<class Float>() { return measure_non_finite<Float>(kernel, test_case); });
}

}  // namespace ropewalk
