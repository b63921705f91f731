#pragma once
// Records of models and scaling rules, with the keys of a configuration.

#include "input/json_text.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

/// The scaling rule as a rope_scaling block, with every number resolved.
input::json rule_record(const rope_scaling& scaling);

/// A model: its numbers with their origins, warnings, and the public source.
input::json model_record(const model& model);

}  // namespace ropewalk::model
