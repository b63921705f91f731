#pragma once
// ALiBi's slopes and biases in decimal digits. Needs MPFR and GMP to link.

#include <cstdint>
#include <string>

#include "ropewalk/config/alibi.hpp"

namespace ropewalk::reference {

/// Slope of one head, in decimal.
///
/// shape   as decimal_digits
/// domain  0 <= head < heads, 1 <= digits <= largest_digits
/// error   correctly rounded
/// throws  std::invalid_argument naming the field or digits
std::string alibi_slope_digits(int head, const alibi& config, int digits);

/// The bias that one head adds to the score of a query and a key, in decimal. Only MPT's form uses `keys`,
/// the number of keys.
///
/// shape, domain, error, throws   as alibi_slope_digits
std::string alibi_bias_digits(int head, std::int64_t query, std::int64_t key, const alibi& config, int digits,
                              std::int64_t keys = 0);

}  // namespace ropewalk::reference
