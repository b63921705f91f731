#pragma once
// How far a binary64 is from a real number that is known by its decimal digits.

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <string>

namespace ropewalk::reference {

/// (value + part - exact) / unit: above 0 where the sum is too large. Half an ulp as `part` makes a tie.
///
/// shape   exact: a decimal of up to 60 significant digits
/// domain  value, part and unit finite, unit above 0
/// error   relative 2^-52, besides the digits' own
inline double distance_in(double unit, double value, const std::string& exact, double part = 0) {
  using wide = boost::multiprecision::cpp_bin_float_100;  // holds every difference to 100 digits
  return ((wide(value) + part - wide(exact)) / unit).convert_to<double>();
}

}  // namespace ropewalk::reference
