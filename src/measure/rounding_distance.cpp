#include "measure/rounding_distance.hpp"

#include <cmath>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk::measure {

double rounding_distance(const std::string& dtype, double radius) {
  const auto half_ulp = [&]<class Float>() {
    return std::ldexp(1.0, std::ilogb(std::nextafter(radius, 0.0)) - format<Float>::precision);
  };
  const auto named = dtype_named(dtype);
  if (!named) return 0;
  const double once = with_format(*named, half_ulp);
  const double before = size_of(*named) < size_of(ROPEWALK_F32) ? half_ulp.operator()<float>() : 0;
  return std::sqrt(2.0) * (once + before);
}

}  // namespace ropewalk::measure
