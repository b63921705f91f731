#pragma once
// Accuracy: every pair is the exact a R(t) x, up to what the kernel promises.

#include "ropewalk/law/exact_turns.hpp"
#include "ropewalk/law/judge_pairs.hpp"

namespace ropewalk {

inline bool is_unit(const law_case& given) { return (given.flags & ROPEWALK_UNIT) != 0; }
inline bool is_backward(const law_case& given) { return (given.flags & ROPEWALK_BACKWARD) != 0; }

namespace detail {

/// Half the way from a number of the format to its neighbour on the side of `miss`: whoever rounds correctly
/// misses by no more. Toward zero the neighbour of a power of two is nearer.
template <floating_format Float, int N>
enclosure<N> half_spacing(bits_of<Float> from, const enclosure<N>& miss) {
  const bits_of<Float> size = magnitude<Float>(from);
  const bool away_from_zero =
      size == 0 || (!may_be_zero(miss) && miss.midpoint.negative == is_negative<Float>(from));
  const auto below = static_cast<bits_of<Float>>(size - (away_from_zero ? 0 : 1));
  return times_power_of_two(enclosure<N>::of(1), decode<Float>(below).exponent - 1);
}

/// One element, the number nearest to its exact value want<N>().
template <floating_format Float, class Want, class Show>
void judge_element(measurement& m, const place& where, bits_of<Float> got, const Want& want,
                   const Show& show) {
  if (!is_finite<Float>(got)) return record(m, judge_equal(false, 0.5), where, show);
  record(m,
         judge(0.5,
               [&]<int N>() -> error_and_bound<N> {
                 const enclosure<N> found{exact_dyadic_of_bits<N, Float>(got), {}};
                 const enclosure<N> miss = want.template operator()<N>() - found;
                 return {miss, half_spacing<Float>(got, miss)};
               }),
         where, show);
}

template <floating_format Float, class Want>
void judge_elements(measurement& m, place where, bits_pair<Float> input, bits_pair<Float> got,
                    const channel_pair& channels, const Want& want) {
  const auto show = [&] { return pair_evidence<Float>(input, want.template operator()<2>().value, got); };
  where.channel = channels.first;
  judge_element<Float>(
      m, where, got.first, [&]<int N>() { return want.template operator()<N>().value.first; }, show);
  where.channel = channels.second;
  judge_element<Float>(
      m, where, got.second, [&]<int N>() { return want.template operator()<N>().value.second; }, show);
}

}  // namespace detail

/// |observed - a R(t) x| of every pair, against accuracy_bound; a kernel that promises correct rounding is
/// held to half a spacing in every element.
template <floating_format Float>
measurement measure_accuracy(const held_kernel& kernel, const law_case& given) {
  const rotated done = kernel.rotate(given);
  const bool unit = is_unit(given);
  exact_turns turns(kernel, unit);
  measurement m;
  for_each_judged_pair<Float>(
      kernel, given, done, kernel.attention<2>(unit),
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
          judge_pair<Float>(m, where, x, y, kernel.accuracy_at<Float>(where.position, where.pair, unit),
                            want);
      });
  return m;
}

}  // namespace ropewalk
