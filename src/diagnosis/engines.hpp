#pragma once
// Names the engines that are known to make a mistake.

#include <string>
#include <vector>

#include "diagnosis/cause.hpp"
#include "model/model.hpp"

namespace ropewalk::diagnosis {

/// Engines that read a model's configuration with the effect of one of these faults: ", as llama.cpp b10256
/// does"; empty if none is known.
///
/// domain  model: as judged, with its length
std::string as_engines_do(const model::model& model, const std::vector<named_fault>& faults);

}  // namespace ropewalk::diagnosis
