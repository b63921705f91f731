#pragma once
// Frequencies of the pairs of one axis as exact values: geometric, linear or listed, in radians or in parts
// of a turn. Nothing is rounded here: values are enclosures, exact where N limbs hold them.

#include <bit>
#include <cstdint>
#include <numeric>

#include "ropewalk/config/frequencies.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/rational.hpp"

namespace ropewalk {

/// last / first of geometric frequencies in lowest terms, with logarithms: computed once for all pairs.
template <int N>
struct frequency_ratio {
  enclosure<N> numerator = enclosure<N>::of(1);
  enclosure<N> denominator = enclosure<N>::of(1);
  enclosure<N> log_numerator{};
  enclosure<N> log_denominator{};
};

/// A frequency as a quotient. Its terms are often exact, and the one division then decides whether the
/// frequency is exact.
template <int N>
struct frequency_terms {
  enclosure<N> numerator = enclosure<N>::of(1);
  enclosure<N> denominator = enclosure<N>::of(1);
};

namespace detail {

/// x y as odd x 2^exponent. domain  x > 0, y > 0
struct odd_product {
  limbs<2> odd{};
  int exponent = 0;
};
constexpr odd_product product_of(double x, double y) {
  const decoded left = decode<double>(to_bits(x)), right = decode<double>(to_bits(y));
  const int zeros_left = std::countr_zero(left.significand),
            zeros_right = std::countr_zero(right.significand);
  return {
      multiply(limbs_of<1>(left.significand >> zeros_left), limbs_of<1>(right.significand >> zeros_right)),
      left.exponent + zeros_left + right.exponent + zeros_right};
}

template <int N>
constexpr enclosure<N> enclose(const limbs<2>& size, int exponent) {
  return with_truncation(truncate<N>(false, size, exponent), {});
}

template <int N>
constexpr bool is_one(const enclosure<N>& x) {
  return compare(x, enclosure<N>::of(1)) == order::equal;
}

/// Lowest terms matter: 12 and 3 have irrational square roots, and their quotient has the root 2.
template <int N>
constexpr frequency_ratio<N> ratio_of_ends(const frequencies& f) {
  const odd_product above = product_of(f.last.numerator, f.first.denominator),
                    below = product_of(f.last.denominator, f.first.numerator);
  const limbs<2> common = greatest_common_divisor(above.odd, below.odd);
  const int exponent = above.exponent - below.exponent;
  frequency_ratio<N> result;
  result.numerator = enclose<N>(exact_quotient(above.odd, common), exponent > 0 ? exponent : 0);
  result.denominator = enclose<N>(exact_quotient(below.odd, common), exponent < 0 ? -exponent : 0);
  const auto log_of = [](const enclosure<N>& end) { return is_one(end) ? enclosure<N>{} : log(end); };
  result.log_numerator = log_of(result.numerator);
  result.log_denominator = log_of(result.denominator);
  return result;
}

/// x^(k / (pairs - shift)).
template <int N>
constexpr enclosure<N> power_of_end(const enclosure<N>& x, const enclosure<N>& log_x, int k, int pairs,
                                    double shift) {
  if (k == 0 || is_one(x)) return enclosure<N>::of(1);
  const std::int64_t numerator = k * frequency_shift_parts,
                     denominator = pairs * frequency_shift_parts -
                                   static_cast<std::int64_t>(shift * frequency_shift_parts);
  const std::int64_t common = std::gcd(numerator, denominator);
  return power_from_log(x, log_x, static_cast<std::uint32_t>(numerator / common),
                        static_cast<std::uint32_t>(denominator / common));
}

template <int N>
constexpr frequency_terms<N> geometric_terms(int k, int pairs, const frequencies& f,
                                             const frequency_ratio<N>& ratio) {
  const auto power = [&](const enclosure<N>& x, const enclosure<N>& log_x) {
    return power_of_end(x, log_x, k, pairs, f.shift);
  };
  return {enclosure<N>::of(f.first.numerator) * power(ratio.numerator, ratio.log_numerator),
          enclosure<N>::of(f.first.denominator) * power(ratio.denominator, ratio.log_denominator)};
}

/// (first (n - 1 - k) + last k) / (n - 1), over one denominator.
template <int N>
constexpr frequency_terms<N> linear_terms(int k, int pairs, const frequencies& f) {
  const auto value = [](auto number) { return enclosure<N>::of(number); };
  if (pairs == 1) return {value(f.first.numerator), value(f.first.denominator)};
  const enclosure<N> first = value(f.first.numerator) * value(f.last.denominator),
                     last = value(f.last.numerator) * value(f.first.denominator);
  return {first * value(pairs - 1 - k) + last * value(k),
          value(f.first.denominator) * value(f.last.denominator) * value(pairs - 1)};
}

}  // namespace detail

/// The numbers that all pairs of one axis share.
///
/// throws  std::invalid_argument naming the field and its value; spacing::of_base is refused, because its
///         base and scaling rule are an embedding's
template <int N>
constexpr frequency_ratio<N> share(const frequencies& f, int pairs) {
  require(pairs >= 1 && pairs <= most_frequencies, "pairs", pairs, "a number from 1 to 32768");
  require(f.rule != spacing::of_base, "spacing", static_cast<double>(f.rule),
          "geometric, linear or listed, where no embedding gives a base");
  validate(f, pairs);
  return f.rule == spacing::geometric ? detail::ratio_of_ends<N>(f) : frequency_ratio<N>{};
}

/// Frequency of one pair, as a quotient; units, domain, throws   as frequency.
template <int N>
constexpr frequency_terms<N> terms_of_frequency(int k, int pairs, const frequencies& f,
                                                const frequency_ratio<N>& shared) {
  require(k >= 0 && k < pairs, "pair", k, "a number from 0 to the number of pairs - 1");
  switch (f.rule) {
    case spacing::geometric: return detail::geometric_terms(k, pairs, f, shared);
    case spacing::linear: return detail::linear_terms<N>(k, pairs, f);
    case spacing::listed: return {enclosure<N>::of(f.list[k]), enclosure<N>::of(1)};
    case spacing::of_base: break;
  }
  return {unbounded<N>(), enclosure<N>::of(1)};
}

/// Frequency of one pair.
///
/// shape   scalar
/// units   f.unit per unit of the coordinate; turns_of gives turns
/// domain  0 <= k < pairs
/// error   carried by the enclosure; exact where the powers, of at most 53 bits, and their quotient are exact
/// throws  std::invalid_argument naming the field and its value
/// source  `get_timestep_embedding` in diffusers (geometric with a shift), `freqs` of EVA-02 (linear),
///         LTX-Video (geometric from `first` to `last`)
template <int N>
constexpr enclosure<N> frequency(int k, int pairs, const frequencies& f, const frequency_ratio<N>& shared) {
  const frequency_terms<N> terms = terms_of_frequency(k, pairs, f, shared);
  return terms.numerator / terms.denominator;
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> frequency(int k, int pairs, const frequencies& f) {
  return frequency<N>(k, pairs, f, share<N>(f, pairs));
}

/// Angle of one pair at a coordinate: coordinate x frequency, in one division.
///
/// units   f.unit
/// domain, error, throws   as frequency
template <int N>
constexpr enclosure<N> angle_at(const enclosure<N>& coordinate, int k, int pairs, const frequencies& f,
                                const frequency_ratio<N>& shared) {
  const frequency_terms<N> terms = terms_of_frequency(k, pairs, f, shared);
  return coordinate * terms.numerator / terms.denominator;
}

/// A frequency or an angle in turns.
///
/// error   that of x, scaled: parts of a turn stay exact
template <int N>
constexpr enclosure<N> turns_of(const enclosure<N>& x, angle_unit unit) {
  switch (unit) {
    case angle_unit::radian: return x * inverse_two_pi<N>();
    case angle_unit::quarter_turn: return times_power_of_two(x, -2);
    case angle_unit::half_turn: return times_power_of_two(x, -1);
    case angle_unit::turn: break;
  }
  return x;
}

}  // namespace ropewalk
