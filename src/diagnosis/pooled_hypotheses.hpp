#pragma once
// Mistakes of engines in tables of cosines and sines averaged over cells.

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// Hypotheses for an array of cosines and sines averaged over the windows of a model's tokens.
table_suspects pooled_suspects(const model::model& model);

}  // namespace ropewalk::diagnosis
