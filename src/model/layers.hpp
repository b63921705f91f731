#pragma once
// A model's layers: the kind of each, and its table if it rotates.

#include <string>
#include <string_view>
#include <vector>

#include "input/json_text.hpp"
#include "model/model.hpp"
#include "model/model_type.hpp"
#include "ropewalk/config/given.hpp"

namespace ropewalk::model {

/// Number of layers in the object with the text model's keys (num_hidden_layers, n_layer, n_layers,
/// num_layers); 0 if it has none of these.
std::int64_t layers_in(const input::json& body);

/// The kind of each layer, in order. Empty if all layers are alike, or if the configuration has neither the
/// kinds nor the number of layers.
///
/// shape   body: the object that holds the text model's keys
/// throws  bad_input naming the key
/// source  each type's configuration class in Hugging Face transformers: a list of kinds, of flags or of
///         numbers of layers; else every layer_rule::period-th layer is of the other kind
std::vector<std::string> kinds_in(const input::json& body, const model_type& type);

/// Whether layers of a kind rotate.
bool does_rotate(const input::json& body, const model_type& type, std::string_view kind);

/// The type's own name of a kind. transformers 5 saves some under newer names; other names are unchanged.
std::string kind_named(std::string_view name, const layer_rule& rule);

/// The base of a kind of layers that is named after its base, in a type with one base per layer.
given<double> base_of_kind(std::string_view kind);

/// One layer of a plan.
struct layer {
  std::string kind;  // empty if all layers are alike
  int table = 0;     // index in layer_plan::tables; -1: the layer does not rotate
};

/// Which layers rotate, and their tables.
struct layer_plan {
  std::vector<model> tables;  // one per kind that rotates; the given model first
  std::vector<layer> layers;
};

/// The plan of a configuration. If the number of layers is unknown, the plan has no layers, only a table for
/// each kind that rotates.
layer_plan plan_of(const model& model);

/// Numbers of layers as runs: "0-2, 4-6, 8".
std::string runs_of(const std::vector<int>& layers);

}  // namespace ropewalk::model
