#pragma once
// Mistakes of engines in tables of models that turn no pair by one angle.

#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

/// What to try on an array of cosines and sines that are averaged over the windows of a model's tokens.
table_suspects pooled_suspects(const model::model& of);

}  // namespace ropewalk::diagnosis
