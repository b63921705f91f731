#pragma once
// A model's layers: of which kind each is, which rotate, and with which table.

#include <string>
#include <string_view>
#include <vector>

#include "input/json_text.hpp"
#include "model/model.hpp"
#include "model/model_type.hpp"
#include "ropewalk/config/given.hpp"

namespace ropewalk::model {

/// Number of layers that the object with the text model's keys states (num_hidden_layers, n_layer, n_layers,
/// num_layers); 0 if it states none.
std::int64_t layers_in(const input::json& body);

/// The kind of each layer, in order. Empty where all layers are alike, and where the configuration says
/// neither the kinds nor how many layers there are.
///
/// shape   body: the object that holds the text model's keys
/// throws  bad_input naming the key that says it
/// source  each type's configuration class in Hugging Face transformers: a list of kinds, of flags or of
///         numbers of layers; else every layer_rule::period-th layer is of the other kind
std::vector<std::string> kinds_in(const input::json& body, const model_type& type);

/// Whether layers of a kind rotate.
bool does_rotate(const input::json& body, const model_type& type, std::string_view kind);

/// The type's own name of a kind, which transformers 5 saves under a newer one; other names stay as they are.
std::string kind_named(std::string_view name, const layer_rule& rule);

/// The base of a kind of layers that is named after it, in a type with a base for each layer.
given<double> base_of_kind(std::string_view kind);

/// One layer of a plan.
struct layer {
  std::string kind;  // empty where all are alike
  int table = 0;     // of layer_plan::tables; -1: the layer does not rotate
};

/// Which layers rotate, and how.
struct layer_plan {
  std::vector<model> tables;  // one for each kind that rotates: first the model that was given
  std::vector<layer> layers;
};

/// The plan of a configuration. A model that does not say how many layers it has has a plan without layers,
/// with a table for each kind that rotates.
layer_plan plan_of(const model& model);

/// Numbers of layers in runs: "0-2, 4-6, 8".
std::string runs_of(const std::vector<int>& layers);

}  // namespace ropewalk::model
