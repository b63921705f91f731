#pragma once
// ropewalk explain extrapolation: measurements beyond the length that a model was trained at, for its RoPE,
// for every other encoding in comparison, and for every rule of context extension.

#include <string>

#include "command/command.hpp"
#include "command/which.hpp"

namespace ropewalk::command {

/// `trained` and `target` are the texts of --trained and --target. Defaults if empty: the original length
/// (else max_position_embeddings), and max_position_embeddings.
///
/// throws  bad_input naming the field, its value and what is allowed
exit_code explain_extrapolation(const which_options& which, const std::string& trained,
                                const std::string& target, bool as_json);

}  // namespace ropewalk::command
