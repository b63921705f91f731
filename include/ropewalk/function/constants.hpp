#pragma once
// Enclosures of pi, 1 / (2 pi) and ln 2, from series over whole numbers: computed, never pasted.

#include <cstdint>

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/fixed_point.hpp"

namespace ropewalk {

namespace detail {

/// atan(1/k), or atanh(1/k) with `hyperbolic`: the sum of +-1 / ((2 j + 1) k^(2 j + 1)). domain  k >= 2
template <int N>
constexpr fixed_point<N> arc_tangent_of_inverse(std::uint64_t k, bool hyperbolic) {
  fixed_point<N> power = one_over<N>(k), positive = power, negative{};
  for (std::uint64_t odd = 3; !is_zero(power.value); odd += 2) {
    power = power / (k * k);
    const fixed_point<N> term = power / odd;
    if (hyperbolic || odd % 4 == 1)
      positive = positive + term;
    else
      negative = negative + term;
  }
  fixed_point<N> sum = positive - negative;
  sum.error += power.error + 1;  // all terms left out together are below the last power
  return sum;
}

/// One limb more than asked for, so that the enclosure of N limbs is as tight as N limbs allow.
template <int N>
constexpr enclosure<N> compute_pi() {
  // Machin: pi / 4 = 4 atan(1/5) - atan(1/239)
  const auto fifth = arc_tangent_of_inverse<N + 1>(5, false),
             other = arc_tangent_of_inverse<N + 1>(239, false);
  return times_power_of_two(enclose<N>(times(fifth, 4) - other), 2);
}

template <int N>
constexpr enclosure<N> compute_ln_2() {
  // ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)
  const auto a = arc_tangent_of_inverse<N + 1>(26, true), b = arc_tangent_of_inverse<N + 1>(4801, true),
             c = arc_tangent_of_inverse<N + 1>(8749, true);
  return enclose<N>(times(a, 18) - times(b, 2) + times(c, 8));
}

template <int N>
inline constexpr enclosure<N> pi_constant = compute_pi<N>();
template <int N>
inline constexpr enclosure<N> ln_2_constant = compute_ln_2<N>();
template <int N>
inline constexpr enclosure<N> inverse_two_pi_constant = enclosure<N>::of(1) /
                                                        times_power_of_two(pi_constant<N>, 1);

}  // namespace detail

/// The circle's constant.
///
/// error   below 4 units of the last limb
template <int N>
constexpr const enclosure<N>& pi() {
  return detail::pi_constant<N>;
}

/// 1 / (2 pi): turns per radian.
template <int N>
constexpr const enclosure<N>& inverse_two_pi() {
  return detail::inverse_two_pi_constant<N>;
}

template <int N>
constexpr const enclosure<N>& ln_2() {
  return detail::ln_2_constant<N>;
}

}  // namespace ropewalk
