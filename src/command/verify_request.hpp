#pragma once
// The options of `ropewalk verify`, and the verification that they describe.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "command/array_options.hpp"
#include "command/command.hpp"
#include "command/which.hpp"
#include "report/report.hpp"
#include "search/judging.hpp"
#include "verify/verification.hpp"

namespace ropewalk::command {

/// The options as typed; empty if not given.
struct verify_options {
  std::vector<std::string> subjects;  // files, whose names say what they are
  which_options which;
  array_options arrays;
  std::vector<std::string> kernels;
  std::vector<std::string> laws;
  std::vector<std::string> dtypes;
  std::vector<std::string> reports;
  std::string target;
  std::string same_as;
  std::string promise;
  std::string positions;
  std::string environment;
  std::vector<std::string> skipped_laws;
  std::vector<std::string> fail_on;
  std::string cases;
  std::string seed;
  std::string threads;
  std::string budget;
  std::string diagnosis;
  std::string device;
  std::string call_limit;
  std::string memory_limit;
  bool may_exceed_budget = false;  // for what verdicts need
  bool in_process = false;
  bool requires_vulkan = false;
  bool allows_declined = false;
  bool allows_cut = false;
  bool list = false;
  bool json = false;
};

/// The names of all laws, of kernels first and then of tables, each once.
std::vector<std::string> law_names();

/// Sets how libraries and programs run, before the first is started.
///
/// throws  std::invalid_argument naming call-limit or memory-limit, its value and what is allowed
void set_transports(const verify_options& options, const std::atomic<bool>& interrupted);

/// Every part that a promise may state, as typed: "angle=f32", ..., "fused".
std::vector<std::string> promise_part_list();

/// The first option given that --list does not take; the name is empty if there is none. It takes --json,
/// --kernel, and how libraries and programs run.
named_option first_besides_list(const verify_options& options);

/// Parses the options; a name given twice counts once. session.understood then describes the named models,
/// and says why Vulkan kernels are left out, if they are.
///
/// throws  std::invalid_argument naming the option, its value and what is allowed; missing_requirement if a
///         Vulkan device was asked for and none serves
verify::verification asked_for(const verify_options& options, session& session);

/// Runs the verification, as verify::verify does. A kernel that crashes or hangs this process is named before
/// the program ends.
verify::results checked_against_laws(const verify::verification& asked, const std::atomic<bool>& interrupted,
                                     const std::function<void(const verify::results&)>& judged = {});

}  // namespace ropewalk::command
