#pragma once
// What follows from a model's configuration: the numbers that an engineer compares when two programs disagree.

#include <vector>

#include "model/model.hpp"

namespace ropewalk::model {

/// The derived quantities of a model, each with the formula it came from: bounds of the rule, which pairs it
/// keeps, blends and divides, attention factor, wavelengths. Decided exactly, shown with 15 significant digits.
///
/// throws  undecided at the cap of working precision
std::vector<fact> derived_facts(const model& of);

}  // namespace ropewalk::model
