#pragma once
// Frequencies of the pairs of one axis in Boost.Multiprecision numbers of any precision, as engines write
// them: the second, independent definition, which the enclosures are tested against.

#include "ropewalk/config/frequencies.hpp"
#include "ropewalk/reference/number.hpp"

namespace ropewalk::reference {

namespace detail {

// The exponent |ln(last / first)| k / (n - shift) is below 2^13 x 2^15, so exp magnifies an error by up to 28
// bits. Three Boost functions add errors below 2^12 each.
inline constexpr int frequency_guard_bits = 64;

template <real_number Number>
Number fraction_of(const quotient& end) {
  return Number(end.numerator) / Number(end.denominator);
}

template <real_number Number>
Number frequency_of_pair(int k, int pairs, const frequencies& f) {
  if (f.rule == spacing::listed) return Number(f.list[k]);
  const Number first = fraction_of<Number>(f.first), last = fraction_of<Number>(f.last);
  if (k == 0) return first;
  if (f.rule == spacing::linear) {
    const Number share = Number(k) / (pairs - 1);
    return Number(first * (1 - share) + last * share);
  }
  const Number steps = pairs - Number(f.shift), ratio = last / first;
  const Number increment = log(ratio) / steps;
  return Number(first * exp(Number(increment * k)));
}

template <real_number Number>
Number in_turns(const Number& x, angle_unit unit) {
  switch (unit) {
    case angle_unit::radian: return Number(x / (2 * pi<Number>()));
    case angle_unit::quarter_turn: return Number(x / 4);
    case angle_unit::half_turn: return Number(x / 2);
    case angle_unit::turn: break;
  }
  return x;
}

inline void require_frequency(int k, int pairs, const frequencies& f) {
  require(pairs >= 1 && pairs <= most_frequencies, "pairs", pairs, "a number from 1 to 32768");
  require(f.rule != spacing::of_base, "spacing", static_cast<double>(f.rule),
          "geometric, linear or listed, where no embedding gives a base");
  validate(f, pairs);
  require(k >= 0 && k < pairs, "pair", k, "a number from 0 to the number of pairs - 1");
}

}  // namespace detail

/// Frequency of one pair.
///
/// units   f.unit per unit of the coordinate; turns_of gives turns
/// domain  0 <= k < pairs
/// error   below one ulp of Number (tested against other precisions)
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
Number frequency(int k, int pairs, const frequencies& f) {
  detail::require_frequency(k, pairs, f);
  return detail::with_guard_bits<Number>(detail::frequency_guard_bits, [&]<class Wide>() {
    return detail::frequency_of_pair<Wide>(k, pairs, f);
  });
}

/// Frequency of one pair in turns.
///
/// units   turns per unit of the coordinate
/// domain, error, throws   as frequency
template <real_number Number>
Number frequency_turns(int k, int pairs, const frequencies& f) {
  detail::require_frequency(k, pairs, f);
  return detail::with_guard_bits<Number>(detail::frequency_guard_bits, [&]<class Wide>() {
    return detail::in_turns<Wide>(detail::frequency_of_pair<Wide>(k, pairs, f), f.unit);
  });
}

}  // namespace ropewalk::reference
