#pragma once
// Chooses the block of a configuration that has the numbers for a kind of layers.

#include <nlohmann/json.hpp>
#include <string>

#include "input/json_text.hpp"
#include "model/model.hpp"
#include "model/model_type.hpp"
#include "model/provenance.hpp"

namespace ropewalk::model {

/// The block with the rule of one kind of layers.
struct chosen_block {
  input::json block;       // an object, maybe empty
  std::string prefix;      // path of the block in messages: "rope_parameters.full_attention."
  std::string kind;        // kind of the layers; empty if all layers are alike
  bool is_second = false;  // the layers have the second table of their type
  bool is_nested = false;  // the configuration has a block for each kind of layers
};

/// Chooses rope_scaling unless it is empty, else the newer rope_parameters; in it, the table of the layers
/// that were asked for. If the file has neither, the block in the model type's own code.
///
/// shape   body: the object that holds the text model's keys
/// throws  bad_input naming the block, or the layer that was asked for
/// source  Hugging Face transformers 5
chosen_block choose_block(const input::json& body, const model_type& type, const std::string& type_name,
                          const reading& how, provenance& sources);

}  // namespace ropewalk::model
