#pragma once
// ALiBi's slopes and biases in decimal digits. Needs MPFR and GMP to link.

#include <cstdint>
#include <optional>
#include <string>

#include "ropewalk/reference/alibi.hpp"
#include "ropewalk/reference/rope_digits.hpp"

namespace ropewalk::reference {

/// Slope of one head, in decimal.
///
/// shape   as decimal_digits
/// domain  0 <= head < heads, 1 <= digits <= largest_digits
/// error   correctly rounded
/// throws  std::invalid_argument naming the field or digits
inline std::string alibi_slope_digits(int head, const alibi& config, int digits) {
  if (const auto exact = alibi_exact_slope(head, config)) return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return alibi_slope<detail::run_time_number>(head, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

/// The bias of one head, of the score of a query and a key, in decimal.
///
/// shape, domain, error, throws   as alibi_slope_digits
inline std::string alibi_bias_digits(int head, std::int64_t query, std::int64_t key, const alibi& config,
                                     int digits) {
  if (const auto exact = alibi_exact_slope(head, config)) {
    const bool is_mirrored = config.form == alibi_form::symmetric && query < key;
    const std::int64_t steps = is_mirrored ? query - key : key - query;
    return decimal_digits(rational(*exact * steps), digits);
  }
  if (query == key) return decimal_digits(rational(0), digits);
  const auto evaluate = [&] { return alibi_bias<detail::run_time_number>(head, query, key, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

}  // namespace ropewalk::reference
