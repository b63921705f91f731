#pragma once
// Rotary numbers as decimal digits, as many as wanted, each correctly rounded. Needs MPFR and GMP to link.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/mpfr.hpp>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/decimal.hpp"
#include "ropewalk/reference/rope.hpp"
#include "ropewalk/reference/rope_exact.hpp"

namespace ropewalk::reference {

namespace detail {

using run_time_number = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                                      boost::multiprecision::et_off>;

// Decimal digits beyond those asked for: at the first try, and where the search for a decision gives up.
inline constexpr int first_guard_digits = 10;
inline constexpr int last_guard_digits = 5120;

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

/// The value of a Number, exactly.
inline rational rational_of(const run_time_number& value) {
  if (value == 0) return 0;
  int exponent = 0;
  const run_time_number fraction = frexp(value, &exponent);
  const int bits = static_cast<int>(mpfr_get_prec(value.backend().data()));
  const auto significand = run_time_number(ldexp(fraction, bits)).convert_to<whole_number>();
  return rational(significand) * power_of_two(exponent - bits);
}

/// Decimal digits of `evaluate()`, whose error is below 2^(size_exponent - bits) at a precision of so many
/// bits: the value less twice that and the value and twice that must round alike.
///
/// throws  std::invalid_argument naming digits; std::runtime_error when last_guard_digits do not decide
template <class Evaluate>
std::string decided_digits(int digits, int size_exponent, const Evaluate& evaluate) {
  require(digits >= 1 && digits <= largest_digits, "digits", digits, "a number from 1 to 1000");
  for (int guard = first_guard_digits; guard <= last_guard_digits; guard *= 2) {
    const working_digits scope(digits + guard);
    const rational value = rational_of(evaluate());
    // Boost holds d digits in at least 3.321 d bits.
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

template <class Evaluate>
std::string rotation_digits(const rope& config, int digits, const Evaluate& evaluate) {
  const int size_exponent = exponent_of(rope_attention_factor<run_time_number>(config));
  return decided_digits(digits, size_exponent, evaluate);
}

}  // namespace detail

/// Inverse frequency of one pair, in decimal.
///
/// shape   one string of `digits` significant digits, as decimal_digits writes it
/// units   radians per position
/// domain  0 <= pair < rotary_dim / 2, 1 <= digits <= largest_digits
/// error   correctly rounded, ties to even
/// throws  std::invalid_argument naming the field and its value; std::runtime_error when undecided
inline std::string rope_inv_freq_digits(int pair, const rope& config, int digits) {
  if (const std::optional<rational> exact = rope_exact_inv_freq(pair, config))
    return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return rope_inv_freq<detail::run_time_number>(pair, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

/// The same in turns per position; never rational but for 0, for 2 pi divides it.
inline std::string rope_turns_digits(int pair, const rope& config, int digits) {
  if (stands_still(pair, config)) return decimal_digits(0, digits);
  const auto evaluate = [&] { return rope_turns<detail::run_time_number>(pair, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

/// The attention factor in decimal; labels as rope_inv_freq_digits, units none.
inline std::string rope_attention_factor_digits(const rope& config, int digits) {
  if (const std::optional<rational> exact = rope_exact_attention_factor(config))
    return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return rope_attention_factor<detail::run_time_number>(config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

/// Cosine of the angle of one pair at one position, attention factor included, in decimal; labels as
/// rope_inv_freq_digits. Only angle 0 is rational, and there it is the attention factor.
template <position_number Position>
std::string rope_cos_digits(Position position, int pair, const rope& config, int digits) {
  if (stands_still(pair, config) || position == 0) return rope_attention_factor_digits(config, digits);
  return detail::rotation_digits(config, digits,
                                 [&] { return rope_cos<detail::run_time_number>(position, pair, config); });
}

/// Sine, likewise; 0 at angle 0.
template <position_number Position>
std::string rope_sin_digits(Position position, int pair, const rope& config, int digits) {
  if (stands_still(pair, config) || position == 0) return decimal_digits(0, digits);
  return detail::rotation_digits(config, digits,
                                 [&] { return rope_sin<detail::run_time_number>(position, pair, config); });
}

}  // namespace ropewalk::reference
