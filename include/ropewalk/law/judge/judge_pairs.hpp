#pragma once
// Judges a pair by its distance from the exact one, against the bound relative x size + absolute.

#include <cmath>

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/measurement.hpp"

namespace ropewalk {

/// Exact value of a pair, and the square of the norm that its bound is relative to.
template <int N>
struct exact_output {
  exact_pair<N> value;
  enclosure<N> squared_size;
};

namespace detail {

/// Whether a norm, given by its square, is certainly in the domain of the bounds.
template <floating_format Float>
bool is_judged(const enclosure<2>& squared_norm) {
  const enclosure<2> largest = enclosure<2>::of(largest_rotated_norm<Float>);
  return magnitude_above(squared_norm) < magnitude_below(largest * largest);
}

/// (relative x size + absolute)^2. At 2 limbs the absolute part is dropped where it is below 2^-32 of the
/// relative one: the result is then too small by less than 2^-31 of itself, and needs no square root.
template <int N>
enclosure<N> squared_allowance(const pair_bound& bound, const enclosure<N>& squared_size) {
  const enclosure<N> relative = enclosure<N>::of(bound.relative), absolute = enclosure<N>::of(bound.absolute);
  const enclosure<N> main_part = relative * relative * squared_size;
  if (N == 2 && magnitude_above(times_power_of_two(absolute * absolute, 64)) < magnitude_below(main_part))
    return main_part;
  const enclosure<N> allowed = relative * square_root(squared_size) + absolute;
  return allowed * allowed;
}

template <floating_format Float>
evidence pair_evidence(bits_pair<Float> input, const exact_pair<2>& expected, bits_pair<Float> got) {
  return {dtype_of<Float>,
          2,
          {input.first, input.second},
          {shown_bits<Float>(expected.first), shown_bits<Float>(expected.second)},
          {got.first, got.second}};
}

/// Half an ulp on the side of `miss`: the largest error of correct rounding. The ulp of a power of two is
/// smaller on the side of zero.
template <floating_format Float, int N>
enclosure<N> half_spacing(bits_of<Float> from, const enclosure<N>& miss) {
  const bits_of<Float> size = magnitude<Float>(from);
  const bool away_from_zero =
      size == 0 || (!may_be_zero(miss) && miss.midpoint.negative == is_negative<Float>(from));
  const auto below = static_cast<bits_of<Float>>(size - (away_from_zero ? 0 : 1));
  return times_power_of_two(enclosure<N>::of(1), decode<Float>(below).exponent - 1);
}

/// Judges one element, which must be the exact value want<N>() correctly rounded.
template <floating_format Float, class Want, class Show>
void judge_element(measurement& measured, const place& where, bits_of<Float> got, const Want& want,
                   const Show& show) {
  measured.is_in_ulps = true;
  if (!is_finite<Float>(got)) return record(measured, judge_equal(false, 0.5), where, show);
  record(measured,
         judge(0.5,
               [&]<int N>() -> error_and_bound<N> {
                 const enclosure<N> bounds{exact_dyadic_of_bits<N, Float>(got), {}};
                 const enclosure<N> miss = want.template operator()<N>() - bounds;
                 return {miss, half_spacing<Float>(got, miss)};
               }),
         where, show);
}

}  // namespace detail

/// Judges one pair against want.template operator()<N>() -> exact_output<N>. A relative bound of `trivial` or
/// more decides nothing.
template <floating_format Float, class Want>
void judge_pair(measurement& measured, const place& where, bits_pair<Float> input, bits_pair<Float> got,
                const pair_bound& bound, const Want& want, double trivial = trivial_bound) {
  const auto show = [&] {
    return detail::pair_evidence<Float>(input, want.template operator()<2>().value, got);
  };
  if (!is_finite<Float>(got)) return record(measured, judge_equal(false, bound.relative), where, show);
  double size = 0;
  verdict verdict = judge_squares(bound.relative, [&]<int N>() -> error_and_bound<N> {
    const exact_output<N> output = want.template operator()<N>();
    if constexpr (N == 2) size = std::sqrt(upper_binary64(magnitude_below(output.squared_size)));
    return {squared_norm(exact<N, Float>(got) - output.value),
            detail::squared_allowance(bound, output.squared_size)};
  });
  // If underflow adds more than a rounding, the error says nothing about the angle.
  if (size > 0 && bound.absolute <= size * unit_roundoff<Float>)
    verdict.error = verdict.ratio * (bound.relative + bound.absolute / size);
  record(measured, unless_trivial(verdict, trivial), where, show);
}

}  // namespace ropewalk
