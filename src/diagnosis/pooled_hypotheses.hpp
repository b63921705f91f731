#pragma once
// Mistakes of engines in tables of cosines and sines that are averaged over cells.

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// What to try on an array of cosines and sines that are averaged over the windows of a model's tokens.
table_suspects pooled_suspects(const model::model& model);

}  // namespace ropewalk::diagnosis
