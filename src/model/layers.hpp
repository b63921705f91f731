#pragma once
// The kinds of a model's layers: which table each layer takes.

#include <string>
#include <vector>

#include "model/model.hpp"

namespace ropewalk::model {

/// Number of layers that a configuration states (num_hidden_layers, n_layer); 0 if it states none.
std::int64_t layer_count(const model& of);

/// The kind of each layer, in order: full_attention or sliding_attention. Empty where all layers take the
/// same table.
///
/// throws  bad_input naming layer_types where a model has tables for several kinds of layers, and its
///         configuration does not say which layer is of which kind
/// source  Hugging Face transformers: layer_types, else every sliding_window_pattern-th layer is
///         full_attention
std::vector<std::string> layer_kinds(const model& of);

}  // namespace ropewalk::model
