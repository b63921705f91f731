#pragma once
// ropewalk explain promise [NAME]: what a promise says, code that keeps it, and the error that it allows, on
// a model if one is named.

#include <string>

#include "command/command.hpp"
#include "model/model.hpp"

namespace ropewalk::command {

/// Prints the promise of that name; all of them beside one another without a name. The errors are those on a
/// model, if one is named.
///
/// throws  std::invalid_argument if no promise has that name
exit_code explain_promise(const std::string& name, bool as_json, const model::model* model = nullptr);

}  // namespace ropewalk::command
