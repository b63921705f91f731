#pragma once
// Prints a model's plan of layers, and every quantity of its configuration with its origin.

#include <string>

#include "model/layers.hpp"
#include "model/model.hpp"
#include "model/own_encoding.hpp"

namespace ropewalk::report {

/// Prints the table of each layer, and the quantities of each distinct table.
void print_plan(const model::layer_plan& plan, bool as_json);

/// Prints the numbers of an encoding that does not rotate, and the kinds of its tables.
void print_own_encoding(const model::own_encoding& encoding, bool as_json);

/// Prints the quantities of one kind of layers.
void print_configuration(const model::model& model, bool as_json);

}  // namespace ropewalk::report
