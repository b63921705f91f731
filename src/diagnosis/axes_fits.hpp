#pragma once
// Reads the angles of an array on several axes: the positions of its tokens, the frequencies of its pairs,
// and the wrong pairs.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Tables with numbers read from the array: tokens too high or too low on an axis, another base, frequencies
/// of an axis times a number. The numbers are estimates; each table is tested like any hypothesis.
///
/// domain  the array's positions are on the model's axes; places: the rows to inspect
std::vector<table_hypothesis> fitted_axes_hypotheses(array_reader& array, const model::model& model,
                                                     const promise& promised,
                                                     const std::vector<std::int64_t>& places);

/// Describes wrong rows: "all pairs of axis 1 (22 to 42); by its angles, token 7 stands at (0, 1, 3), where
/// (0, 3, 1) is right".
///
/// domain  as above; places: wrong rows
std::string axes_in_words(array_reader& array, const model::model& model, const promise& promised,
                          const std::vector<std::int64_t>& places, const suspected_table& right);

}  // namespace ropewalk::diagnosis
