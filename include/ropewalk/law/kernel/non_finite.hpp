#pragma once
// Non-finite values stay in their pair: a NaN or an infinity changes no other channel, and neither vanishes.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
#include "ropewalk/law/kernel/agreement.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/kernel/held_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
bool holds_nan(bits_pair<Float> x) {
  return is_nan<Float>(x.first) || is_nan<Float>(x.second);
}

}  // namespace detail

/// Every finite pair alike with and without the values that are not finite: equal bits, or agreement_bound where no bits
/// are promised. Of the others, a NaN on one side makes NaNs of both outputs, and an infinity leaves one output at least
/// that is not finite: times a cosine or sine that is zero it is a NaN, times any other an infinity.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_non_finite(const held_rotation& kernel, const law_case& given) {
  const rotated done = kernel.turned(given);
  const law_case without = detail::with_finite_values<Float>(given);
  const rotated finite = kernel.turned(without);
  measurement m;
  for_each_pair(given, kernel.pairs(), [&](const place& where) {
    const std::size_t start = head_start(given, where);
    const channel_pair out = kernel.channels_out(where.pair);
    const auto x = pair_at<Float>(elements_of(given, where.tensor), start, kernel.channels_in(where.pair));
    const auto y = pair_at<Float>(elements_of(done, where.tensor), start, out);
    if (is_finite<Float>(x))
      return judge_agreement<Float>(m, kernel, where, is_unit(given), x,
                                    pair_at<Float>(elements_of(finite, where.tensor), start, out), y);
    const bool infinite = !detail::holds_nan<Float>(x);
    const bits_of<Float> shown = infinite ? format<Float>::infinity : format<Float>::quiet_nan;
    const bool equal = infinite ? !is_finite<Float>(y) : is_nan<Float>(y.first) && is_nan<Float>(y.second);
    record(m, judge_equal(equal), where, [&] {
      return evidence{dtype_of<Float>, 2, {x.first, x.second}, {shown, shown}, {y.first, y.second}};
    });
  });
  return m;
}
ROPEWALK_COMPILED_LAW(measure_non_finite, const held_rotation&, const law_case&);

namespace rotation_laws {

inline constexpr law<held_rotation> non_finite{
    .name = "non-finite",
    .statement = "a NaN or an infinity changes no other pair",
    .needs = {.every_bit_pattern = true},
    .measure = [](const held_rotation& kernel, const law_case& given) {
      return with_format(given.dtype,
                         [&]<class Float>() { return measure_non_finite<Float>(kernel, given); });
    }};

}  // namespace rotation_laws

}  // namespace ropewalk
