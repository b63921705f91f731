#pragma once
// What `ropewalk verify` was asked for: its options, and the verification that they mean.

#include <string>
#include <vector>

#include "command/command.hpp"
#include "command/which.hpp"
#include "report/report.hpp"
#include "search/judging.hpp"
#include "verify/verification.hpp"

namespace ropewalk::command {

/// As typed; empty where not.
struct verify_options {
  which_options which;
  std::vector<std::string> kernels;
  std::vector<std::string> laws;
  std::vector<std::string> dtypes;
  std::vector<std::string> reports;
  std::string target;
  std::string promise;
  std::string positions;
  std::string environment;
  std::vector<std::string> skipped_laws;
  std::vector<std::string> fail_on;
  std::string cases;
  std::string seed;
  std::string threads;
  std::string budget;
  std::string device;
  bool requires_vulkan = false;
  bool allows_declined = false;
  bool list = false;
  bool json = false;
};

/// Reads every option. What is left out, and why, is told to the session.
///
/// throws  std::invalid_argument naming the option, its value and what is allowed; missing_requirement where a
///         Vulkan device was asked for and none serves
verify::verification asked_for(const verify_options& options, session& session);

}  // namespace ropewalk::command
