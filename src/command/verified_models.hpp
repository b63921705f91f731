#pragma once
// What kernels are verified on: the models that were asked for, each at the lengths that tell its tables apart, or else a
// spread of the catalogue and every convention of kernels that add.

#include <vector>

#include "command/command.hpp"
#include "command/verify_run.hpp"
#include "command/which.hpp"

namespace ropewalk::command {

/// throws  bad_input naming the option
std::vector<verified_model> chosen_subjects(const which_options& which, session& session);

}  // namespace ropewalk::command
