#pragma once
// The kernels that `ropewalk verify` judges, and the promise that the command line names for them.

#include <optional>
#include <string>
#include <vector>

#include "command/verify_options.hpp"
#include "verify/verification.hpp"

namespace ropewalk::command {

/// Refuses names joined by commas. `between` separates names where each is a word of its own.
void refuse_comma_lists(const std::string& option, const std::vector<std::string>& names,
                        const std::string& between = " ");

/// Whether kernels are named, by --kernel or --target.
bool names_kernels(const verify_options& options);

/// Whether kernels are judged: those that are named, else the built-in ones unless arrays are judged.
bool judges_kernels(const verify_options& options);

/// The promise of --promise; none if the text is empty.
///
/// throws  bad_input naming promise
std::optional<promise> chosen_promise(const std::string& name);

/// Adds the kernels that are judged, and the libraries whose process ended when they were loaded.
///
/// throws  bad_input naming kernel, target or promise
void choose_kernels(verify::verification& request, const verify_options& options);

/// Adds the kernel of --same-as, whose bits are then asked for and nothing else. Built-in kernels of other
/// operations are left out.
///
/// throws  bad_input naming same-as, or an option that asks for something else
void choose_other_kernel(verify::verification& request, const verify_options& options);

}  // namespace ropewalk::command
