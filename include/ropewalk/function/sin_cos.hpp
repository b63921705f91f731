#pragma once
// Enclosures of cosine and sine. Angles are in turns, because whole turns can be dropped without error.

#include <cstdint>
#include <type_traits>

#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/fixed_point.hpp"
#include "ropewalk/numeric/integer_part.hpp"

namespace ropewalk {

template <int N>
struct cos_sin {
  enclosure<N> cos;
  enclosure<N> sin;
};

namespace detail {

/// Cosine and sine of an angle of at most 1/8 turn, x radians: 1 - v and x (1 - w).
///
/// v = x^2/2! - x^4/4! + ..., w = x^2/3! - x^4/5! + ...; the sine of a small x keeps its relative precision.
template <int N>
constexpr cos_sin<N> cos_sin_of_small(const enclosure<N>& x) {
  const enclosure<N> middle{x.midpoint, {}};
  fixed_point<N> square = midpoint_as_fixed_point<N>(middle * middle);
  if (!is_zero(x.midpoint)) square.error += 3;  // two truncations: of the product and of the conversion
  fixed_point<N> term = square / 2, v[2], w[2];
  for (std::uint64_t k = 3, sign = 0;; k += 2, sign ^= 1) {
    v[sign] = v[sign] + term;
    w[sign] = w[sign] + term / k;
    if (is_zero(term.value)) break;
    term = term * square / (k * (k + 1));
  }
  fixed_point<N> versine = v[0] - v[1], rest = w[0] - w[1];
  if (!is_zero(x.midpoint)) {
    versine.error += term.error + 1;  // the tail of an alternating series is below its first term
    rest.error += term.error + 1;
  }
  const enclosure<N> bounds = enclosure<N>::of(1);
  cos_sin<N> result{bounds - enclose<N>(versine), middle * (bounds - enclose<N>(rest))};
  result.cos.error = result.cos.error + x.error;  // both functions have slope at most 1
  result.sin.error = result.sin.error + x.error;
  return result;
}

template <int N>
constexpr cos_sin<N> cos_sin_by_quarters(const enclosure<N>& turns) {
  const split_quarters<N> split = split_into_quarters(turns.midpoint);
  const enclosure<N> rest{split.rest, turns.error};
  const cos_sin<N> result = cos_sin_of_small(times_power_of_two(rest * pi<N>(), 1));
  switch (split.quarters) {
    case 0: return result;
    case 1: return {-result.sin, result.cos};
    case 2: return {-result.cos, -result.sin};
    default: return {result.sin, -result.cos};
  }
}

/// Run-time version of the function below, compiled once (compiled_once.hpp).
template <int N>
struct cos_sin_at_run_time {
  static cos_sin<N> of_turns(const enclosure<N>& turns);
};
template <int N>
cos_sin<N> cos_sin_at_run_time<N>::of_turns(const enclosure<N>& turns) {
  return cos_sin_by_quarters(turns);
}
ROPEWALK_COMPILED_ONCE(cos_sin_at_run_time);

}  // namespace detail

/// Cosine and sine of an angle in turns (1 turn = 2 pi radians).
///
/// units   turns
/// error   about 2 pi times the argument's, plus two units in the last place
template <int N>
constexpr cos_sin<N> cos_sin_of_turns(const enclosure<N>& turns) {
  return std::is_constant_evaluated() ? detail::cos_sin_by_quarters(turns)
                                      : detail::cos_sin_at_run_time<N>::of_turns(turns);
}

/// Cosine and sine of an angle in radians.
///
/// units   radians
/// error   about the argument's, plus some units in the last place of max(1, |radians|)
template <int N>
constexpr cos_sin<N> cos_sin_of_radians(const enclosure<N>& radians) {
  return cos_sin_of_turns(radians * inverse_two_pi<N>());
}

}  // namespace ropewalk
