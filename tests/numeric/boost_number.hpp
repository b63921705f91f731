#pragma once
// Conversion of limbs to Boost's integers, for comparison in tests.

#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/numeric/limbs.hpp"

namespace ropewalk {

template <int N>
boost::multiprecision::cpp_int to_boost(const limbs<N>& a) {
  boost::multiprecision::cpp_int result = 0;
  for (int i = N; i-- > 0;) result = (result << limb_bits) + a.word[i];
  return result;
}

}  // namespace ropewalk
