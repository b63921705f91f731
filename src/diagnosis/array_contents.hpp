#pragma once
// Hypotheses about arrays whose entries were never computed.

#include <vector>

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Arrays of zeros, of one repeated number, without finite numbers, and frequencies that were never written.
std::vector<table_hypothesis> content_hypotheses();

}  // namespace ropewalk::diagnosis
