#pragma once
// Faults made of known faults: two at once, or one on a single path of a kernel, such as calls of one token.

#include <span>

#include "fault/known_faults.hpp"

namespace ropewalk::fault {

/// Compounds of the faults that engines have most often. Each names its parts, which are in
/// known_rotation_faults(). Faults that replace the same step of a kernel are not combined.
std::span<const known_fault> compound_rotation_faults();

}  // namespace ropewalk::fault
