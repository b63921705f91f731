#pragma once
// Prints promises as text or JSON: what each says, and the error that it allows.

#include <string_view>

#include "model/model.hpp"

namespace ropewalk::report {

/// Prints the named promise, or with an empty name each of them beside the others: the errors that they allow
/// on a model, at the largest coordinates of its grid where one is asked for, or with no model on rope of
/// base 10000 and 128 channels.
///
/// domain  a name of `promises`, parts of one as "angle=f32,table=data", or empty
void print_promise(std::string_view name, bool as_json, const model::model* of_model = nullptr);

}  // namespace ropewalk::report
