#pragma once
// Laws about pairs: the distance of each pair a kernel gave from the one it should have given, against
// relative x size + absolute.

#include <cstdint>
#include <vector>

#include "ropewalk/law/bound.hpp"
#include "ropewalk/law/exact_pair.hpp"
#include "ropewalk/law/held_kernel.hpp"
#include "ropewalk/law/law_case.hpp"
#include "ropewalk/law/measurement.hpp"

namespace ropewalk {

/// What a pair should be, and the square of the norm that its bound is relative to.
template <int N>
struct exact_output {
  exact_pair<N> value;
  enclosure<N> squared_size;
};

namespace detail {

/// Whether a norm, given by its square, is surely in the domain of the bounds.
template <floating_format Float>
bool is_judged(const enclosure<2>& squared_norm) {
  const enclosure<2> largest = enclosure<2>::of(largest_rotated_norm<Float>);
  return magnitude_above(squared_norm) < magnitude_below(largest * largest);
}

/// (relative x size + absolute)^2; at 2 limbs, without the absolute part where it is below 2^-32 of the
/// relative one: too small by that little, and much cheaper than a root.
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

}  // namespace detail

/// Judges one pair: want.template operator()<N>() -> exact_output<N>.
template <floating_format Float, class Want>
void judge_pair(measurement& m, const place& where, bits_pair<Float> input, bits_pair<Float> got,
                const pair_bound& bound, const Want& want) {
  const auto show = [&] {
    return detail::pair_evidence<Float>(input, want.template operator()<2>().value, got);
  };
  if (!is_finite<Float>(got)) return record(m, judge_equal(false, bound.relative), where, show);
  record(m,
         judge_squares(bound.relative,
                       [&]<int N>() -> error_and_bound<N> {
                         const exact_output<N> output = want.template operator()<N>();
                         return {squared_norm(exact<N, Float>(got) - output.value),
                                 detail::squared_allowance(bound, output.squared_size)};
                       }),
         where, show);
}

/// Visits every finite pair whose rotated norm, times `headroom`, is in the domain of the bounds:
/// visit(place, input, output).
template <floating_format Float, class Visit>
void for_each_judged_pair(const held_kernel& kernel, const law_case& given, const rotated& done,
                          const enclosure<2>& headroom, Visit visit) {
  for_each_head(given, [&](place where) {
    const std::size_t start = head_start(given, where);
    for (where.pair = 0; where.pair < kernel.pairs(); ++where.pair) {
      const auto x = pair_at<Float>(elements_of(given, where.tensor), start, kernel.channels_in(where.pair));
      if (!is_finite<Float>(x) ||
          !detail::is_judged<Float>(headroom * headroom * squared_norm(exact<2, Float>(x))))
        continue;
      visit(where, x,
            pair_at<Float>(elements_of(done, where.tensor), start, kernel.channels_out(where.pair)));
    }
  });
}

}  // namespace ropewalk
