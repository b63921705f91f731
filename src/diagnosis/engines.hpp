#pragma once
// Which engines are known to make the mistake that a diagnosis names.

#include <string>
#include <vector>

#include "diagnosis/cause.hpp"
#include "model/model.hpp"

namespace ropewalk::diagnosis {

/// The engines that read a model's configuration with the effect of one of these faults: ", as llama.cpp
/// b10256 does"; empty where none is known to.
///
/// domain  of: a model as it was judged, with its length
std::string as_engines_do(const model::model& model, const std::vector<named_fault>& faults);

}  // namespace ropewalk::diagnosis
