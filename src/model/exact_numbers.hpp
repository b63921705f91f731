#pragma once
// Exact values, correctly rounded to binary64 for `explain`.

#include <string>

#include "ropewalk/numeric/round.hpp"

namespace ropewalk::model {

/// The binary64 nearest to the value that evaluate.operator()<N>() encloses.
///
/// throws  undecided at the cap of working precision, naming `what`
template <class Evaluate>
double nearest(const char* what, const Evaluate& evaluate) {
  return from_bits<double>(round_with_enough_limbs<double>(what, evaluate));
}

/// 15 significant digits.
std::string digits_15(double value);

}  // namespace ropewalk::model
