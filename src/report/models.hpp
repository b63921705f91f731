#pragma once
// The catalogue of models.

namespace ropewalk::report {

void print_models(bool as_json);

}  // namespace ropewalk::report
