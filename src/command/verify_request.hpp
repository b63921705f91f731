#pragma once
// The verification that the options of `ropewalk verify` describe.

#include <atomic>
#include <functional>

#include "command/command.hpp"
#include "command/verify_options.hpp"
#include "verify/verification.hpp"

namespace ropewalk::command {

/// Sets how libraries and programs run, before the first is started.
///
/// throws  std::invalid_argument naming call-limit or memory-limit, its value and what is allowed
void set_transports(const verify_options& options, const std::atomic<bool>& interrupted);

/// Parses the options; a name given twice counts once. session.understood then describes the named models,
/// and says why Vulkan kernels are left out, if they are.
///
/// throws  std::invalid_argument naming the option, its value and what is allowed; missing_requirement if a
///         Vulkan device was asked for and none serves
verify::verification verification_from(const verify_options& options, session& session);

/// Runs the verification, as verify::verify does. A kernel that crashes or hangs this process is named before
/// the program ends.
verify::results checked_against_laws(const verify::verification& request,
                                     const std::atomic<bool>& interrupted,
                                     const std::function<void(const verify::results&)>& judged = {});

}  // namespace ropewalk::command
