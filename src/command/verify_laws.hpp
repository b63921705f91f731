#pragma once
// The laws that `ropewalk verify` asks for, their calls, and what counts as a failure.

#include <map>
#include <string>
#include <vector>

#include "command/verify_options.hpp"
#include "ropewalk/law/kernel/checked_kernel.hpp"
#include "verify/verification.hpp"

namespace ropewalk::command {

/// Refuses names of laws that there are not.
///
/// throws  std::invalid_argument naming law
void require_known_laws(const std::vector<std::string>& names);

/// The laws to leave out, from --skip-law, each with its reason.
///
/// throws  std::invalid_argument naming skip-law or law
std::map<std::string, std::string> skipped_laws(const verify_options& options);

/// Refuses a law that was named but applies to none of the kernels and tables to be judged.
///
/// throws  bad_input naming law
void require_subjects_of_laws(const verify::verification& request);

/// The positions and environments that --positions and --environment ask for.
///
/// throws  bad_input naming the option
asked_calls calls_from(const verify_options& options);

/// The further conditions for exit code 1, from --fail-on.
///
/// throws  bad_input naming fail-on
verify::fail_on failures_from(const verify_options& options);

}  // namespace ropewalk::command
