#pragma once
// Non-finite values stay in their pair: a NaN or an infinity changes no other channel, and neither vanishes.

#include <cstddef>
#include <cstdint>

#include "ropewalk/law/judge/compiled_law.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"
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

/// Every finite pair, equal bits with and without the values that are not finite; of the others, a NaN on one
/// side makes NaNs of both outputs, and an infinity leaves one output at least that is not finite: times a
/// cosine or sine that is zero it is a NaN, times any other an infinity.
///
/// domain  every bit pattern
template <floating_format Float>
measurement measure_non_finite(const held_rotation& kernel, const law_case& given) {
  const rotated done = kernel.turned(given);
  const rotated finite = kernel.turned(detail::with_finite_values<Float>(given));
  measurement m;
  for_each_head(given, [&](place where) {
    const std::size_t start = head_start(given, where);
    for (where.pair = 0; where.pair < kernel.pairs(); ++where.pair) {
      const channel_pair out = kernel.channels_out(where.pair);
      const auto x = pair_at<Float>(elements_of(given, where.tensor), start, kernel.channels_in(where.pair));
      const auto y = pair_at<Float>(elements_of(done, where.tensor), start, out);
      auto expected = pair_at<Float>(elements_of(finite, where.tensor), start, out);
      const bool infinite = !is_finite<Float>(x) && !detail::holds_nan<Float>(x);
      if (infinite)
        expected = {format<Float>::infinity, format<Float>::infinity};
      else if (!is_finite<Float>(x))
        expected = {format<Float>::quiet_nan, format<Float>::quiet_nan};
      const bool equal =
          infinite ? !is_finite<Float>(y)
                   : same_bits<Float>(expected.first, y.first) && same_bits<Float>(expected.second, y.second);
      record(m, judge_equal(equal), where, [&] {
        return evidence{
            dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {y.first, y.second}};
      });
    }
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
