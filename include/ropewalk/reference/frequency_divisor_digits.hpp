#pragma once
// What a scaling rule divides a frequency by, in decimal digits. Needs MPFR and GMP to link.

#include <optional>
#include <string>

#include "ropewalk/reference/frequency_divisor.hpp"
#include "ropewalk/reference/rope_digits.hpp"

namespace ropewalk::reference {

/// The divisor of one pair, in decimal; nothing for a pair that stands still, whose divisor is infinite.
///
/// shape, domain, error, throws   as rope_inv_freq_digits
inline std::optional<std::string> rope_frequency_divisor_digits(int pair, const rope& config, int digits) {
  if (stands_still(pair, config)) return std::nullopt;
  if (const std::optional<rational> exact = rope_exact_frequency_divisor(pair, config))
    return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return rope_frequency_divisor<detail::run_time_number>(pair, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

}  // namespace ropewalk::reference
