#pragma once
// The options of `ropewalk verify`.

#include <string>
#include <type_traits>
#include <vector>

#include "command/array_options.hpp"
#include "command/which.hpp"

namespace ropewalk::command {

/// The options as typed; empty if not given.
struct verify_options {
  std::vector<std::string> subjects;  // files, whose names say what they are
  which_options which;
  std::vector<std::string> kernels;
  std::string promise;
  std::string same_as;
  std::string target;
  std::vector<std::string> dtypes;
  array_options arrays;
  std::vector<std::string> laws;
  std::vector<std::string> skipped_laws;
  std::string positions;
  std::string environment;
  std::string cases;
  std::string seed;
  std::string budget;
  std::string diagnosis;
  std::string threads;
  std::string call_limit;
  std::string memory_limit;
  bool in_process = false;
  std::vector<std::string> fail_on;
  bool allows_declined = false;
  bool allows_cut = false;
  std::vector<std::string> reports;
  bool json = false;
  bool list = false;
  std::string device;
  bool requires_vulkan = false;
  bool may_exceed_budget = false;  // for what verdicts need; no option
};

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, verify_options>
void visit_options(Options& options, const Visit& visit) {
  visit("subject", options.subjects);
  visit_options(options.which, visit);
  visit("--kernel", options.kernels);
  visit("--promise", options.promise);
  visit("--same-as", options.same_as);
  visit("--target", options.target);
  visit("--dtype", options.dtypes);
  visit_options(options.arrays, visit);
  visit("--law", options.laws);
  visit("--skip-law", options.skipped_laws);
  visit("--positions", options.positions);
  visit("--environment", options.environment);
  visit("--cases", options.cases);
  visit("--seed", options.seed);
  visit("--budget", options.budget);
  visit("--diagnosis", options.diagnosis);
  visit("--threads", options.threads);
  visit("--call-limit", options.call_limit);
  visit("--memory-limit", options.memory_limit);
  visit("--in-process", options.in_process);
  visit("--fail-on", options.fail_on);
  visit("--allow-declined", options.allows_declined);
  visit("--allow-cut", options.allows_cut);
  visit("--report", options.reports);
  visit("--json", options.json);
  visit("--list", options.list);
  visit("--device", options.device);
  visit("--require-vulkan", options.requires_vulkan);
}

}  // namespace ropewalk::command
