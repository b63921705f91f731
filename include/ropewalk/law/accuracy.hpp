#pragma once
// Accuracy: every pair is the exact a R(t) x, up to what the kernel promises.

#include "ropewalk/law/exact_turns.hpp"
#include "ropewalk/law/judge_pairs.hpp"

namespace ropewalk {

inline bool is_unit(const law_case& given) { return (given.flags & ROPEWALK_UNIT) != 0; }
inline bool is_backward(const law_case& given) { return (given.flags & ROPEWALK_BACKWARD) != 0; }

namespace detail {

/// Half the spacing of the format's numbers around a number, subnormals included.
template <floating_format Float, int N>
enclosure<N> half_spacing(const enclosure<N>& around) {
  using traits = format<Float>;
  int exponent = traits::smallest_ulp_exponent;
  if (!is_zero(around.midpoint))
    exponent = std::max(exponent, top_exponent(around.midpoint) - traits::precision);
  return times_power_of_two(enclosure<N>::of(1), exponent - 1);
}

/// The two elements of a pair, each within half a spacing of its exact value.
template <floating_format Float, class Want>
void judge_elements(measurement& m, place where, bits_pair<Float> input, bits_pair<Float> got,
                    const channel_pair& channels, const Want& want) {
  const auto show = [&] { return pair_evidence<Float>(input, want.template operator()<2>().value, got); };
  for (const auto& [bits, channel, member_is_first] :
       {std::tuple{got.first, channels.first, true}, std::tuple{got.second, channels.second, false}}) {
    where.channel = channel;
    if (!is_finite<Float>(bits)) {
      record(m, judge_equal(false, 0.5), where, show);
      continue;
    }
    record(m, judge(0.5, [&]<int N>() -> error_and_bound<N> {
             const exact_pair<N> output = want.template operator()<N>().value;
             const enclosure<N> exact_element = member_is_first ? output.first : output.second;
             const enclosure<N> element{exact_dyadic_of_bits<N, Float>(bits), {}};
             return {element - exact_element, half_spacing<Float>(exact_element)};
           }), where, show);
  }
}

}  // namespace detail

/// |observed - a R(t) x| of every pair, against accuracy_bound; a kernel that promises correct rounding is held to half a
/// spacing in every element.
template <floating_format Float>
measurement measure_accuracy(const held_kernel& kernel, const law_case& given) {
  const rotated done = kernel.rotate(given);
  const bool unit = is_unit(given);
  exact_turns turns(kernel, unit);
  measurement m;
  for_each_judged_pair<Float>(kernel, given, done, kernel.attention<2>(unit),
                              [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
    const auto want = [&]<int N>() -> exact_output<N> {
      const cos_sin<N> by = turns.at<N>(where.pair, where.position);
      const exact_pair<N> input = exact<N, Float>(x);
      const enclosure<N> a = kernel.attention<N>(unit);
      return {turned(input, is_backward(given) ? backward(by) : by), a * a * squared_norm(input)};
    };
    if (kernel.promise() == ROPEWALK_EXACT)
      detail::judge_elements<Float>(m, where, x, y, kernel.channels_out(where.pair), want);
    else
      judge_pair<Float>(m, where, x, y, kernel.accuracy_at<Float>(where.position, where.pair, unit), want);
  });
  return m;
}

}  // namespace ropewalk
