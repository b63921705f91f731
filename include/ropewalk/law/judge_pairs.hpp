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

/// What a pair should be, and the norm that its bound is relative to.
template <int N>
struct exact_output {
  exact_pair<N> value;
  enclosure<N> size;
};

namespace detail {

/// Whether a rotated norm is surely in the domain of the bounds.
template <floating_format Float>
bool is_judged(const enclosure<2>& largest_norm) {
  const radius reach = magnitude_above(largest_norm);
  return reach < magnitude_below(enclosure<2>::of(largest_rotated_norm<Float>));
}

template <floating_format Float>
evidence pair_evidence(bits_pair<Float> input, const exact_pair<2>& expected, bits_pair<Float> got) {
  return {dtype_of<Float>, 2, {input.first, input.second},
          {shown_bits<Float>(expected.first), shown_bits<Float>(expected.second)}, {got.first, got.second}};
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
  record(m, judge_squares(bound.relative, [&]<int N>() -> error_and_bound<N> {
           const exact_output<N> output = want.template operator()<N>();
           const enclosure<N> allowed =
               enclosure<N>::of(bound.relative) * output.size + enclosure<N>::of(bound.absolute);
           return {squared_norm(exact<N, Float>(got) - output.value), allowed * allowed};
         }), where, show);
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
      if (!is_finite<Float>(x) || !detail::is_judged<Float>(headroom * norm(exact<2, Float>(x)))) continue;
      visit(where, x, pair_at<Float>(elements_of(done, where.tensor), start, kernel.channels_out(where.pair)));
    }
  });
}

}  // namespace ropewalk
