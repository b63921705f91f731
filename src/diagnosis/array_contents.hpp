#pragma once
// Hypotheses about arrays whose entries were never computed.

#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Arrays of zeros, of one number, of no finite one, and frequencies that nobody wrote.
std::vector<table_hypothesis> content_hypotheses();

}  // namespace ropewalk::diagnosis
