#pragma once
// Prints every quantity of a model's configuration, and its origin.

#include "model/model.hpp"

namespace ropewalk::report {

void print_configuration(const model::model& model, bool as_json);

}  // namespace ropewalk::report
