#pragma once
// Tables that an engine with one mistake makes of positions on several axes.

#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Every hypothesis that gives these axes another table than their own, whatever its tokens are. Hypotheses
/// may agree with each other.
std::vector<table_hypothesis> axes_hypotheses(const placed_rope& config);

}  // namespace ropewalk::diagnosis
