#pragma once
// Quantities derived from a model's configuration. They show where two implementations disagree.

#include <vector>

#include "model/model.hpp"

namespace ropewalk::model {

/// The derived quantities of a model, each with its formula: bounds of the rule, pairs that it keeps, blends
/// and divides, attention factor, wavelengths. Values are correctly rounded to binary64 and shown with 15
/// digits; ramp bounds have four decimals.
///
/// throws  undecided at the cap of working precision
std::vector<fact> derived_facts(const model& model);

}  // namespace ropewalk::model
