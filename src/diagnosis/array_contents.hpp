#pragma once
// Hypotheses about arrays whose entries were never computed.

#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Arrays of zeros, of one number, and of none.
std::vector<table_hypothesis> content_hypotheses();

}  // namespace ropewalk::diagnosis
