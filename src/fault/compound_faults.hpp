#pragma once
// Faults made of known ones: two at once, and one on one path of a kernel alone, as in calls of one token.

#include <span>

#include "fault/known_faults.hpp"

namespace ropewalk::fault {

/// Compounds of the faults that engines have most often. Each names its parts, which are in
/// known_rotation_faults(). Faults that replace the same step of a kernel are not combined.
std::span<const known_fault> compound_rotation_faults();

}  // namespace ropewalk::fault
