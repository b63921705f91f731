#pragma once
// Distance of a binary64 from a real number that is known by its decimal digits.

#include <string>

namespace ropewalk::reference {

/// (value + part - exact) / unit: positive if the sum is too large. With half an ulp as `part`, the sum is a
/// rounding midpoint.
///
/// shape   exact: a decimal of up to 60 significant digits
/// domain  value, part and unit finite, unit above 0
/// error   relative 2^-52, plus the error of the digits
double distance_in(double unit, double value, const std::string& exact, double part = 0);

}  // namespace ropewalk::reference
