#pragma once
// Decimal digits of a number that is computed with as many bits as their rounding requires. Needs MPFR and
// GMP to link.

#include <stdexcept>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/mpfr.hpp>

#include "ropewalk/reference/decimal.hpp"
#include "ropewalk/reference/rational.hpp"

namespace ropewalk::reference {

namespace detail {

using run_time_number = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                                      boost::multiprecision::et_off>;

// Guard digits beyond the requested ones: at the first try, and at the cap.
inline constexpr int first_guard_digits = 10;
inline constexpr int last_guard_digits = 5120;

/// Sets the precision of new run_time_numbers of this thread for its lifetime, in decimal digits.
class working_digits {
 public:
  explicit working_digits(int digits) : saved_(run_time_number::thread_default_precision()) {
    run_time_number::thread_default_precision(static_cast<unsigned>(digits));
  }
  ~working_digits() { run_time_number::thread_default_precision(saved_); }
  working_digits(const working_digits&) = delete;
  working_digits& operator=(const working_digits&) = delete;

 private:
  unsigned saved_;
};

/// The exact value of a number.
inline rational rational_of(const run_time_number& value) {
  if (value == 0) return 0;
  int exponent = 0;
  const run_time_number fraction = frexp(value, &exponent);
  const int bits = static_cast<int>(mpfr_get_prec(value.backend().data()));
  const auto significand = run_time_number(ldexp(fraction, bits)).convert_to<whole_number>();
  return rational(significand) * power_of_two(exponent - bits);
}

/// Decimal digits of `evaluate()`, whose error is below 2^(size_exponent - bits) at a precision of `bits`
/// bits. The value minus twice that error and the value plus twice that error must round to the same digits.
///
/// throws  std::invalid_argument naming digits; std::runtime_error if last_guard_digits do not decide
template <class Evaluate>
std::string decided_digits(int digits, int size_exponent, const Evaluate& evaluate) {
  require(digits >= 1 && digits <= largest_digits, "digits", digits, "a number from 1 to 1000");
  for (int guard = first_guard_digits; guard <= last_guard_digits; guard *= 2) {
    const working_digits scope(digits + guard);
    const rational value = rational_of(evaluate());
    // Boost stores d decimal digits in at least 3.321 d bits.
    const rational reach = power_of_two(size_exponent + 1 - (digits + guard) * 3321 / 1000);
    const std::string low = decimal_digits(value - reach, digits);
    if (low == decimal_digits(value + reach, digits)) return low;
  }
  throw std::runtime_error("digits: " + std::to_string(digits) + " digits are undecided");
}

inline int exponent_of(const run_time_number& value) {
  int exponent = 0;
  frexp(value, &exponent);
  return exponent;
}

}  // namespace detail

}  // namespace ropewalk::reference
