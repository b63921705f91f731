#pragma once
// Mistakes with a number that only the array tells: another base, another factor, all frequencies multiplied.

#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Hypotheses whose numbers agree with the frequencies that the array shows. Each number is tried as the
/// shortest decimal, exactly, and then as all numbers between those that the array leaves possible: "about".
std::vector<table_hypothesis> fitted_hypotheses(array_reader& array, const model::model& model,
                                                const promise& promised);

}  // namespace ropewalk::diagnosis
