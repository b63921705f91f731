#pragma once
// Every fault with a sentence that describes it, for comparison with a failing kernel: those of faults.hpp,
// and families whose members differ in one parameter.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/alibi.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::fault {

struct known_fault {
  ropewalk_kernel kernel;
  std::string sentence;  // what the fault does, without a full stop; faults with one sentence are one cause
  std::vector<std::string> parts{};  // of a compound: the names of the faults that it is made of
};

/// Stores a kernel's name, which must outlive the kernel, for the rest of the program.
const char* kept_name(std::string name);

// Families. A member does not show where the thing that it changes does not exist.
std::vector<known_fault> mapped_positions();       // positions rounded, wrapped, clamped, shifted or negated
std::vector<known_fault> mapped_real_positions();  // positions in binary64 alone
std::vector<known_fault> misread_calls();          // fields of the call that are ignored or misread
std::vector<known_fault> changed_rows();           // cosines and sines changed, or given to other pairs
std::vector<known_fault> changed_frequencies();    // of a rule other than the model's
std::vector<known_fault> changed_axes();           // widths and frequencies of axes
std::vector<known_fault> exchanged_axes();         // of three axes or more
std::vector<known_fault> changed_factors();        // attention factors formed from the right one
std::vector<known_fault> changed_arithmetic();     // precision and order of roundings
std::vector<known_fault> mixed_pairings();         // partner and table of two conventions
std::vector<known_fault> pairings_of_axes();       // halves over the channels of several axes
std::vector<known_fault> changed_additions();      // of kernels that add
std::vector<known_fault> scaled_biases();          // ALiBi's, rounded and divided as Falcon's code does

/// The sentence of a kernel that has one form of ALiBi, whatever form it is asked for.
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
