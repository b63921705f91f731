#pragma once
// Laws about scores: dot products of heads over their rotated channels, exact on both sides.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/law/judge/exact_pair.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/numeric/exact_sum.hpp"

namespace ropewalk {

/// The rotated channels of one head, pair by pair, whatever the layout.
template <floating_format Float>
using head_pairs = std::vector<bits_pair<Float>>;

/// Rotated channels of a head in the case's input.
///
/// shape   [rotary_dim / 2]
template <floating_format Float>
head_pairs<Float> input_pairs(const checked_rotation& kernel, const law_case& test_case, const place& head) {
  head_pairs<Float> result;
  for (int pair = 0; pair < kernel.pairs(); ++pair)
    result.push_back(pair_at<Float>(elements_of(test_case, head.tensor), head_start(test_case, head),
                                    kernel.channels_in(pair)));
  return result;
}

/// The same channels in the output, in the pairing of the output.
///
/// shape   [rotary_dim / 2]
template <floating_format Float>
head_pairs<Float> output_pairs(const checked_rotation& kernel, const law_case& test_case, const rotated& done,
                               const place& head) {
  head_pairs<Float> result;
  for (int pair = 0; pair < kernel.pairs(); ++pair)
    result.push_back(pair_at<Float>(elements_of(done, head.tensor), head_start(test_case, head),
                                    kernel.channels_out(pair)));
  return result;
}

/// Whether every number of the head is finite.
template <floating_format Float>
bool is_finite(const head_pairs<Float>& head) {
  for (const auto& x : head)
    if (!is_finite<Float>(x)) return false;
  return true;
}

/// Adds the dot product x . y to a sum.
///
/// domain  finite numbers; y at least as long as x
/// error   none
template <floating_format Float>
void add_dot(exact_sum<Float>& sum, const head_pairs<Float>& x, const head_pairs<Float>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum.add_product(x[i].first, y[i].first);
    sum.add_product(x[i].second, y[i].second);
  }
}

/// Subtracts the dot product x . y from a sum. Labels as `add_dot`.
template <floating_format Float>
void subtract_dot(exact_sum<Float>& sum, const head_pairs<Float>& x, const head_pairs<Float>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum.subtract_product(x[i].first, y[i].first);
    sum.subtract_product(x[i].second, y[i].second);
  }
}

/// Dot product x . y in binary64, for heads with numbers that are not finite: infinite or NaN.
///
/// shape   as `add_dot`
/// error   of binary64 arithmetic, in the order of channels; for display only
template <floating_format Float>
std::uint64_t shown_dot(const head_pairs<Float>& x, const head_pairs<Float>& y) {
  std::uint64_t sum = to_bits(0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (const auto& [of_x, of_y] : {std::pair(x[i].first, y[i].first), std::pair(x[i].second, y[i].second)})
      sum = add<double>(sum, multiply<double>(convert<double, Float>(of_x), convert<double, Float>(of_y)));
  return sum;
}

/// |x| of a head, over its rotated channels.
template <floating_format Float>
class head_norm {
 public:
  explicit head_norm(const head_pairs<Float>& head) { add_dot(squares_, head, head); }
  /// The norm as an enclosure.
  ///
  /// error   carried by the enclosure; the sum of squares is exact where it fits N limbs
  template <int N>
  enclosure<N> value() const {
    return square_root(squares_.template value<N>());
  }

 private:
  exact_sum<Float> squares_;
};

/// Whether every pair is finite and its rotated norm in the domain of the bounds.
template <floating_format Float>
bool is_judged_head(const head_pairs<Float>& head, const enclosure<2>& attention) {
  for (const auto& x : head)
    if (!is_finite<Float>(x) ||
        !detail::is_judged<Float>(attention * attention * squared_norm(exact<2, Float>(x))))
      return false;
  return true;
}

/// Allowed error of a score:
/// relative x product + absolute sqrt(pairs) sum + absolute^2 pairs x (quadratic ? 1 : 0).
template <int N>
enclosure<N> allowed_score_error(const pair_bound& bound, int pairs, const enclosure<N>& product,
                                 const enclosure<N>& sum, bool quadratic) {
  const enclosure<N> absolute = enclosure<N>::of(bound.absolute), count = enclosure<N>::of(pairs);
  enclosure<N> allowed = enclosure<N>::of(bound.relative) * product + absolute * square_root(count) * sum;
  if (quadratic) allowed = allowed + absolute * absolute * count;
  return allowed;
}

}  // namespace ropewalk
