#pragma once
// Tables that an engine with one mistake makes for positions on several axes.

#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Every hypothesis that changes the table of these axes, whatever the tokens. Hypotheses may agree with each
/// other.
std::vector<table_hypothesis> axes_hypotheses(const placed_rope& config);

}  // namespace ropewalk::diagnosis
