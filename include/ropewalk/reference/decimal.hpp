#pragma once
// Decimal digits of an exact rational number, rounded once.

#include <cstdlib>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/require.hpp"

namespace ropewalk::reference {

inline constexpr int largest_digits = 1000;

namespace detail {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

inline cpp_int power_of_ten(int exponent) { return pow(cpp_int(10), static_cast<unsigned>(exponent)); }

/// numerator / denominator to the nearest integer, ties to even; both positive.
inline cpp_int nearest_quotient(const cpp_int& numerator, const cpp_int& denominator) {
  cpp_int quotient;
  cpp_int remainder;
  divide_qr(numerator, denominator, quotient, remainder);
  const int order = cpp_int(2 * remainder).compare(denominator);
  if (order > 0 || (order == 0 && bit_test(quotient, 0))) ++quotient;
  return quotient;
}

inline cpp_int scaled_quotient(const cpp_rational& size, int exponent) {
  if (exponent >= 0) return nearest_quotient(numerator(size) * power_of_ten(exponent), denominator(size));
  return nearest_quotient(numerator(size), denominator(size) * power_of_ten(-exponent));
}

/// floor(log10(size)) for size > 0.
inline int decimal_exponent(const cpp_rational& size) {
  const auto bits = [](const cpp_int& whole) { return static_cast<int>(msb(whole)); };
  // A lower bound from the bit lengths alone, then corrected upward.
  int exponent = static_cast<int>((bits(numerator(size)) - bits(denominator(size))) * 0.30103) - 2;
  while (true) {
    const int next = exponent + 1;
    const bool reaches = next >= 0 ? numerator(size) >= denominator(size) * power_of_ten(next)
                                   : numerator(size) * power_of_ten(-next) >= denominator(size);
    if (!reaches) return exponent;
    exponent = next;
  }
}

}  // namespace detail

/// Decimal digits of a rational number, rounded to nearest, ties to even: 6.25e-02 for 1/16 and three digits.
///
/// shape   one digit, a point, digits - 1 digits, an exponent of at least two digits; 0 is "0"
/// domain  1 <= digits <= largest_digits
/// error   correctly rounded
/// throws  std::invalid_argument naming digits
inline std::string decimal_digits(const boost::multiprecision::cpp_rational& value, int digits) {
  require(digits >= 1 && digits <= largest_digits, "digits", digits, "a number from 1 to 1000");
  if (value == 0) return "0";
  const detail::cpp_rational size = value < 0 ? detail::cpp_rational(-value) : value;
  int exponent = detail::decimal_exponent(size);
  std::string text = detail::scaled_quotient(size, digits - 1 - exponent).str();
  if (static_cast<int>(text.size()) > digits) {  // 9.996 rounded up to 10.00
    text.pop_back();
    ++exponent;
  }
  if (digits > 1) text.insert(1, ".");
  std::string exponent_text = std::to_string(std::abs(exponent));
  if (exponent_text.size() < 2) exponent_text.insert(0, "0");
  return (value < 0 ? "-" : "") + text + "e" + (exponent < 0 ? "-" : "+") + exponent_text;
}

}  // namespace ropewalk::reference
