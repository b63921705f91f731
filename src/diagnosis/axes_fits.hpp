#pragma once
// What the angles of an array on several axes show: where its tokens stand, which frequencies its pairs have,
// and which pairs are wrong.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Tables with numbers that the array shows: tokens that stand too high or too low on an axis, another base,
/// frequencies of an axis times a number. Each is an estimate, which is tried as any hypothesis.
///
/// domain  the array's positions are on the model's axes; places: the rows to look at
std::vector<table_hypothesis> fitted_axes_hypotheses(array_reader& array, const model::model& model,
                                                     const promise& promised,
                                                     const std::vector<std::int64_t>& places);

/// What wrong rows show: "all pairs of axis 1 (22 to 42); by its angles token 7 stands at (0, 1, 3), where
/// (0, 3, 1) is right".
///
/// domain  the same; places: wrong rows
std::string axes_in_words(array_reader& array, const model::model& model, const promise& promised,
                          const std::vector<std::int64_t>& places, const suspected_table& right);

}  // namespace ropewalk::diagnosis
