#pragma once
// Every fault with a sentence that describes it, to compare with a failing kernel: those of faults.hpp, and
// families whose members differ in one parameter.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::fault {

struct known_fault {
  ropewalk_kernel kernel;
  // The effect of the fault, without a full stop; faults with one sentence are one cause.
  std::string sentence;
  std::vector<std::string> parts{};  // for a compound: the names of its faults
};

/// Stores a kernel's name for the rest of the program, because the name must outlive the kernel.
const char* kept_name(std::string name);

// Families. A member has no effect if an encoding lacks the feature that it changes.
std::vector<known_fault> mapped_positions();       // positions rounded, wrapped, clamped, shifted or negated
std::vector<known_fault> mapped_real_positions();  // only positions in binary64
std::vector<known_fault> misread_calls();          // fields of the call that are ignored or misread
std::vector<known_fault> changed_rows();           // cosines and sines wrong, or assigned to other pairs
std::vector<known_fault> changed_frequencies();    // of a rule other than the model's
std::vector<known_fault> changed_axes();           // widths and frequencies of axes
std::vector<known_fault> exchanged_axes();         // of three axes or more
std::vector<known_fault> changed_factors();        // attention factors derived from the correct one
std::vector<known_fault> changed_arithmetic();     // precision and order of roundings
std::vector<known_fault> mixed_pairings();         // partner of one convention and table of another
std::vector<known_fault> pairings_of_axes();       // halves over the channels of several axes
std::vector<known_fault> changed_additions();      // of kernels that add
std::vector<known_fault> scaled_biases();          // ALiBi's, rounded and divided as Falcon's code does

/// The sentence of a kernel that has one form of ALiBi, whatever the requested form.
std::string sentence_of_form(alibi_form form);

/// The same kernels without a fault.
ropewalk_kernel faultless_rotation();
ropewalk_kernel faultless_row_addition();
ropewalk_kernel faultless_bias_addition();

/// All faults of kernels that rotate, and of kernels that add: those of faults.hpp and those of every family.
std::span<const known_fault> known_rotation_faults();
std::span<const known_fault> known_addition_faults();

/// The sentence of a fault that rotates, by its kernel's name; empty if there is none.
std::string sentence_of(std::string_view kernel);

}  // namespace ropewalk::fault
