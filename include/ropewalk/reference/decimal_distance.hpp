#pragma once
// How far a binary64 is from a real number that is known by its decimal digits.

#include <string>

namespace ropewalk::reference {

/// (value + part - exact) / unit: above 0 where the sum is too large. Half an ulp as `part` makes a tie.
///
/// shape   exact: a decimal of up to 60 significant digits
/// domain  value, part and unit finite, unit above 0
/// error   relative 2^-52, besides the digits' own
double distance_in(double unit, double value, const std::string& exact, double part = 0);

}  // namespace ropewalk::reference
