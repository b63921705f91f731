#pragma once
// The distance by which rounding to a format alone moves a point of a circle. No kernel in that format can be
// required to beat it.

#include <string>

namespace ropewalk::measure {

/// Bound of the distance between a point on a circle and the point with both coordinates rounded to a dtype:
/// each is off by at most half an ulp of `radius`. Coordinates in 16 bits are first rounded to binary32, as
/// in every kernel.
///
/// domain  the name of a dtype (0 for any other name); radius > 0, the attention factor
double rounding_distance(const std::string& dtype, double radius = 1);

}  // namespace ropewalk::measure
