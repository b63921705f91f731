#pragma once
// Prints promises as text or JSON: their statements, and the errors that they allow.

#include <string_view>

#include "model/model.hpp"

namespace ropewalk::report {

/// Prints the named promise; with an empty name, compares all promises. The allowed errors are for a model,
/// at the largest coordinates of its grid, if any. Without a model, they are for rope with base 10000 and 128
/// channels.
///
/// domain  a name of `promises`, parts such as "angle=f32,table=data", or empty
void print_promise(std::string_view name, bool as_json, const model::model* of_model = nullptr);

}  // namespace ropewalk::report
