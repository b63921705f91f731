#pragma once
// How far a format's own rounding takes a point of a circle: what no kernel of that format can be held to
// beat.

#include <string>

namespace ropewalk::measure {

/// A bound of the distance of a point on a circle from itself with both coordinates rounded to a dtype: each
/// is off by half a unit in the last place of `radius` at most. Coordinates in 16 bits are rounded to
/// binary32 before, as every kernel's are.
///
/// domain  the name of a dtype, 0 for any other; radius > 0, the attention factor
double rounding_distance(const std::string& dtype, double radius = 1);

}  // namespace ropewalk::measure
