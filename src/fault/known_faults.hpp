#pragma once
// Every fault with the sentence that says what it does: what a failing kernel is compared with. Those of faults.hpp, and
// families whose members differ in a number.

#include <span>
#include <string>
#include <vector>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::fault {

struct known_fault {
  ropewalk_kernel kernel;
  std::string sentence;  // what it does, without a full stop; faults of one sentence are one cause
};

/// A name that is kept for good, as a kernel's must be.
const char* kept_name(std::string name);

// Families. Each member is silent where what it changes does not exist.
std::vector<known_fault>
mapped_positions();  // positions in another format, wrapped, clamped, or with another sign
std::vector<known_fault> misread_calls();        // a field of the call that is not read, or read as another
std::vector<known_fault> changed_rows();         // cosines, sines and the pairs that they belong to
std::vector<known_fault> changed_frequencies();  // of another rule than the model's
std::vector<known_fault> changed_arithmetic();   // precision and order of roundings
std::vector<known_fault> changed_additions();    // of kernels that add

/// The kernels with nothing planted.
ropewalk_kernel faultless_rotation();
ropewalk_kernel faultless_row_addition();
ropewalk_kernel faultless_bias_addition();

/// All that rotate, and all that add, each family's and each of faults.hpp.
std::span<const known_fault> known_rotation_faults();
std::span<const known_fault> known_addition_faults();

}  // namespace ropewalk::fault
