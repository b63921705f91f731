#pragma once
// What a configuration means: every quantity, and where each came from.

#include "model/model.hpp"

namespace ropewalk::report {

void print_configuration(const model::model& model, bool as_json);

}  // namespace ropewalk::report
