#pragma once
// The scale of queries in decimal digits. Needs MPFR and GMP to link.

#include <cstdint>
#include <string>

#include "ropewalk/config/query_scale.hpp"

namespace ropewalk::reference {

/// The scale at one position, in decimal.
///
/// shape   as decimal_digits
/// error   correctly rounded, ties to even
/// throws  std::invalid_argument naming the field or digits; std::runtime_error if undecided
std::string query_scale_digits(std::int64_t position, const query_scale& config, int digits);

}  // namespace ropewalk::reference
