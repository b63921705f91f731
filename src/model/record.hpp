#pragma once
// Models and scaling rules as records, with the key names of a configuration.

#include "input/json_text.hpp"
#include "model/model.hpp"

namespace ropewalk::model {

/// The scaling rule as a rope_scaling block would spell it, every number resolved.
input::json rule_record(const rope_scaling& scaling);

/// A model: its numbers, the origin of each, warnings, and the public source.
input::json model_record(const model& model);

}  // namespace ropewalk::model
