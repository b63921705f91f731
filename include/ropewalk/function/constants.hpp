#pragma once
// Enclosures of pi, 1 / (2 pi) and ln 2, computed from series in integer arithmetic, never pasted.

#include <cstdint>
#include <type_traits>

#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/fixed_point.hpp"

namespace ropewalk {

namespace detail {

/// Time at which a constant is computed. Passing it as a function argument keeps g++ from speculatively
/// evaluating the calls below as constants.
enum class evaluated { by_the_compiler, at_run_time };

/// atan(1/k), or atanh(1/k) with `hyperbolic`: the sum of +-1 / ((2 j + 1) k^(2 j + 1)). domain  k >= 2
template <int N>
constexpr fixed_point<N> arc_tangent_of_inverse(std::uint64_t k, bool hyperbolic, evaluated) {
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
  sum.error += power.error + 1;  // the omitted terms sum to less than the last power
  return sum;
}

/// pi, computed with N + 1 limbs, so that the enclosure of N limbs is as tight as N limbs allow.
template <int N>
constexpr enclosure<N> compute_pi(evaluated when) {
  // Machin: pi / 4 = 4 atan(1/5) - atan(1/239)
  const auto fifth = arc_tangent_of_inverse<N + 1>(5, false, when),
             other = arc_tangent_of_inverse<N + 1>(239, false, when);
  return times_power_of_two(enclose<N>(times(fifth, 4) - other), 2);
}

template <int N>
constexpr enclosure<N> compute_ln_2(evaluated when) {
  // ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)
  const auto a = arc_tangent_of_inverse<N + 1>(26, true, when),
             b = arc_tangent_of_inverse<N + 1>(4801, true, when),
             c = arc_tangent_of_inverse<N + 1>(8749, true, when);
  return enclose<N>(times(a, 18) - times(b, 2) + times(c, 8));
}

template <int N>
constexpr enclosure<N> compute_inverse_two_pi(evaluated when) {
  return enclosure<N>::of(1) / times_power_of_two(compute_pi<N>(when), 1);
}

// Tables use few limbs and need a constant for every entry: constants of few limbs are constexpr variables.
// The larger limb counts of Ziv's loop are rarely needed during compilation: those constants are computed on
// demand, and cached at run time.
inline constexpr int largest_kept_by_the_compiler = 3;

template <int N, enclosure<N> (*Compute)(evaluated)>
inline constexpr enclosure<N> kept_by_the_compiler = Compute(evaluated::by_the_compiler);

/// Not constexpr on purpose: a compiler would evaluate the initializer below wherever it is instantiated, to
/// see whether it is constant.
template <int N, enclosure<N> (*Compute)(evaluated)>
enclosure<N> computed_at_run_time(evaluated when) {
  return Compute(when);
}

template <int N, enclosure<N> (*Compute)(evaluated)>
const enclosure<N>& kept_at_run_time() {
  static const enclosure<N> value = computed_at_run_time<N, Compute>(evaluated::at_run_time);
  return value;
}

/// Run-time versions of the functions below, compiled once (compiled_once.hpp).
template <int N>
struct constants_at_run_time {
  static enclosure<N> pi();
  static enclosure<N> inverse_two_pi();
  static enclosure<N> ln_2();
};
template <int N>
enclosure<N> constants_at_run_time<N>::pi() {
  return kept_at_run_time<N, compute_pi<N>>();
}
template <int N>
enclosure<N> constants_at_run_time<N>::inverse_two_pi() {
  return kept_at_run_time<N, compute_inverse_two_pi<N>>();
}
template <int N>
enclosure<N> constants_at_run_time<N>::ln_2() {
  return kept_at_run_time<N, compute_ln_2<N>>();
}
ROPEWALK_COMPILED_ONCE(constants_at_run_time);

template <int N, enclosure<N> (*Compute)(evaluated), enclosure<N> (*AtRunTime)()>
constexpr enclosure<N> constant() {
  if constexpr (N <= largest_kept_by_the_compiler)
    return kept_by_the_compiler<N, Compute>;
  else
    return std::is_constant_evaluated()
               ? Compute(std::is_constant_evaluated() ? evaluated::by_the_compiler : evaluated::at_run_time)
               : AtRunTime();
}

}  // namespace detail

/// pi.
///
/// error   below 4 units in the last place of N limbs
template <int N>
constexpr enclosure<N> pi() {
  return detail::constant<N, detail::compute_pi<N>, detail::constants_at_run_time<N>::pi>();
}

/// 1 / (2 pi), the number of turns per radian.
///
/// error   carried by the enclosure
template <int N>
constexpr enclosure<N> inverse_two_pi() {
  return detail::constant<N, detail::compute_inverse_two_pi<N>,
                          detail::constants_at_run_time<N>::inverse_two_pi>();
}

/// ln 2, the natural logarithm.
///
/// error   carried by the enclosure
template <int N>
constexpr enclosure<N> ln_2() {
  return detail::constant<N, detail::compute_ln_2<N>, detail::constants_at_run_time<N>::ln_2>();
}

}  // namespace ropewalk
