#pragma once
// Exact rational numbers with numerators and denominators of up to 64 N bits. A rational number can be a
// rounding tie, which an inexact enclosure never decides, so rational values are rounded from this type.

#include <bit>
#include <cstdint>
#include <stdexcept>

#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/limbs.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// (-1)^negative numerator / denominator, in lowest terms; zero is 0 / 1.
template <int N>
struct rational {
  bool negative = false;
  limbs<N> numerator{};
  limbs<N> denominator = limbs_of<N>(1);

  /// The exact value of an integer, or of a finite binary64 whose power of two fits.
  static constexpr rational of(std::int64_t value);
  static constexpr rational of(int value) { return of(static_cast<std::int64_t>(value)); }
  static constexpr rational of(double value);
  friend constexpr bool operator==(const rational&, const rational&) = default;
};

namespace detail {

template <int M>
constexpr int trailing_zeros(const limbs<M>& a) {
  int count = 0;
  while (count < limb_bits * M && !bit_at(a, count)) ++count;
  return count;
}

/// Greatest common divisor, by the binary algorithm. domain  not both zero
template <int M>
constexpr limbs<M> greatest_common_divisor(limbs<M> a, limbs<M> b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  const int a_twos = trailing_zeros(a), b_twos = trailing_zeros(b);
  a = shift_right(a, a_twos);
  b = shift_right(b, b_twos);
  for (int order = compare(a, b); order != 0; order = compare(a, b)) {
    limbs<M>& larger = order > 0 ? a : b;
    subtract_from(larger, order > 0 ? b : a);
    larger = shift_right(larger, trailing_zeros(larger));
  }
  return shift_left(a, a_twos < b_twos ? a_twos : b_twos);
}

/// a / b where b divides a. domain  b != 0
template <int M>
constexpr limbs<M> exact_quotient(const limbs<M>& a, const limbs<M>& b) {
  const int up = limb_bits * M - bit_length(b);  // the division needs a divisor whose top bit is set
  const limbs<2 * M> dividend = shift_left(resize<2 * M>(a), up);
  return resize<M>(divide(dividend, shift_left(b, up)).quotient);
}

/// numerator / denominator in lowest terms, with N limbs.
///
/// throws  std::overflow_error if N limbs do not hold it
template <int N, int M>
constexpr rational<N> lowest_terms(bool negative, limbs<M> numerator, limbs<M> denominator) {
  if (is_zero(numerator)) return {};
  const limbs<M> common = greatest_common_divisor(numerator, denominator);
  numerator = exact_quotient(numerator, common);
  denominator = exact_quotient(denominator, common);
  if (bit_length(numerator) > limb_bits * N || bit_length(denominator) > limb_bits * N)
    throw std::overflow_error("a rational number needs more limbs than it has");
  return {negative, resize<N>(numerator), resize<N>(denominator)};
}

}  // namespace detail

/// The integer over 1.
template <int N>
constexpr rational<N> rational<N>::of(std::int64_t value) {
  const std::uint64_t size =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return {value < 0, limbs_of<N>(size), limbs_of<N>(1)};
}

/// The number in lowest terms.
///
/// domain  finite
/// throws  std::overflow_error if N limbs do not hold it
template <int N>
constexpr rational<N> rational<N>::of(double value) {
  const decoded parts = decode<double>(to_bits(value));
  if (parts.significand == 0) return {};
  const int zeros = std::countr_zero(parts.significand), exponent = parts.exponent + zeros;
  const limbs<N> odd = limbs_of<N>(parts.significand >> zeros);
  if (bit_length(odd) + exponent > limb_bits * N || -exponent >= limb_bits * N)
    throw std::overflow_error("a rational number needs more limbs than it has");
  if (exponent >= 0) return {parts.negative, shift_left(odd, exponent), limbs_of<N>(1)};
  return {parts.negative, odd, shift_left(limbs_of<N>(1), -exponent)};
}

/// -a; zero stays 0 / 1, without a sign.
template <int N>
constexpr rational<N> operator-(rational<N> a) {
  a.negative = !a.negative && !is_zero(a.numerator);
  return a;
}

/// throws  std::overflow_error if N limbs do not hold the result; so do -, * and /
template <int N>
constexpr rational<N> operator+(const rational<N>& a, const rational<N>& b) {
  auto left = resize<2 * N + 1>(multiply(a.numerator, b.denominator));
  const auto right = resize<2 * N + 1>(multiply(b.numerator, a.denominator));
  bool negative = a.negative;
  if (a.negative == b.negative) {
    add_to(left, right);
  } else if (compare(left, right) >= 0) {
    subtract_from(left, right);
  } else {
    const auto smaller = left;
    left = right;
    subtract_from(left, smaller);
    negative = b.negative;
  }
  return detail::lowest_terms<N>(negative, left, resize<2 * N + 1>(multiply(a.denominator, b.denominator)));
}

template <int N>
constexpr rational<N> operator-(const rational<N>& a, const rational<N>& b) {
  return a + (-b);
}

template <int N>
constexpr rational<N> operator*(const rational<N>& a, const rational<N>& b) {
  return detail::lowest_terms<N>(a.negative != b.negative, multiply(a.numerator, b.numerator),
                                 multiply(a.denominator, b.denominator));
}

/// throws  std::domain_error for b == 0; std::overflow_error as operator+
template <int N>
constexpr rational<N> operator/(const rational<N>& a, const rational<N>& b) {
  if (is_zero(b.numerator)) throw std::domain_error("a rational number divided by zero");
  return a * rational<N>{b.negative, b.denominator, b.numerator};
}

/// -1, 0 or 1 as a is below, equal to or above b.
template <int N>
constexpr int compare(const rational<N>& a, const rational<N>& b) {
  const bool a_below_zero = a.negative && !is_zero(a.numerator),
             b_below_zero = b.negative && !is_zero(b.numerator);
  if (a_below_zero != b_below_zero) return a_below_zero ? -1 : 1;
  const int size = compare(multiply(a.numerator, b.denominator), multiply(b.numerator, a.denominator));
  return a_below_zero ? -size : size;
}

/// A rational number rounded to the format, to nearest even.
///
/// error   correctly rounded, always decided
template <floating_format Float, int N>
constexpr bits_of<Float> round(const rational<N>& x) {
  if (is_zero(x.numerator)) return 0;
  // Scaled so that the quotient has at least 66 bits: more than any format's precision and a rounding bit.
  const int up = limb_bits * N - bit_length(x.denominator);
  const int wanted = bit_length(x.denominator) - bit_length(x.numerator) + 66;
  const int shift = wanted > 0 ? wanted : 0;
  const limbs<2 * N + 2> dividend = shift_left(resize<2 * N + 2>(x.numerator), shift + up);
  const auto parts = divide(dividend, shift_left(x.denominator, up));
  return round_magnitude<Float>(x.negative, parts.quotient, -shift, !is_zero(parts.remainder));
}

/// The number as an enclosure; exact where the denominator is a power of two and M limbs hold the number.
template <int M, int N>
constexpr enclosure<M> enclose(const rational<N>& x) {
  const auto whole = [](bool negative, const limbs<N>& value) {
    return detail::with_truncation(truncate<M>(negative, value, 0), {});
  };
  return whole(x.negative, x.numerator) / whole(false, x.denominator);
}

}  // namespace ropewalk
