#pragma once
// Mistakes with a number that must be read from the array: another base, another factor, all frequencies
// multiplied.

#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Hypotheses whose numbers agree with the frequencies in the array. Each number is tried as its shortest
/// decimal, exactly, and then as the range of all numbers that the array allows: "about".
std::vector<table_hypothesis> fitted_hypotheses(array_reader& array, const model::model& model,
                                                const promise& promised);

}  // namespace ropewalk::diagnosis
