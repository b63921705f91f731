#pragma once
// A verification: which kernels and tables are held to which laws on which subjects, and how long.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/given_arrays.hpp"
#include "verify/kernel_choice.hpp"
#include "verify/results.hpp"
#include "verify/subjects.hpp"
#include "verify/tables.hpp"

namespace ropewalk::verify {

/// A kernel, how --kernel names it, and the promise it is judged by.
struct judged_kernel {
  chosen_kernel chosen;
  std::string option;
  promise promised = promise::canonical;

  ropewalk_operation operation() const { return static_cast<ropewalk_operation>(chosen.kernel->operation); }
};

/// Conditions of --fail-on: they exit with 1, as do failures and requests without a verdict.
struct fail_on {
  struct growth {
    double percent = 0;
    std::int64_t position = 0;
  };
  bool vacuous = false;
  bool skipped = false;           // a law that was left out
  std::vector<growth> growths{};  // an error above `percent` at positions up to `position`
};

/// What is to be verified, as parsed from the options.
struct verification {
  std::vector<rotation_subject> models;
  std::vector<addition_subject> additions;
  std::vector<judged_kernel> kernels;
  std::vector<std::string> ended{};                   // libraries whose process ended when they were loaded
  std::vector<std::string> laws;                      // names of the laws that were asked for; empty: all
  std::map<std::string, std::string> skipped_laws{};  // names of the laws that are left out, and why
  std::optional<judged_kernel> same_as{};             // the kernel whose bits are asked for, and no other law
  bool kernels_are_named = false;                     // each then needs a verdict
  bool dtypes_are_named = false;                      // each then needs a verdict of each named kernel
  fail_on fails_on{};
  asked_calls calls{};                        // positions and environments
  std::optional<alibi_form> form{};           // of ALiBi's kernels
  std::vector<judged_table> tables;           // this library's own
  std::vector<given_array> arrays;            // of files
  std::vector<std::string> missing_layers{};  // layers of which no array was found
  std::vector<ropewalk_dtype> dtypes;
  std::int64_t cases = 0;  // of each verdict; 0: as many as the time allows
  bool allows_cut = false;
  bool allows_declined = false;
  std::uint64_t seed = 1;
  int threads = 1;
  double budget = 0;  // seconds of the clock of budgets, which further cases fill; 0: none
  double limit = 0;   // what verdicts need may take longer than the budget: until then
  /// Seconds of that clock to find the causes of failures; 0: they are not looked for; none: as many as it
  /// takes.
  std::optional<double> diagnosis{};
  bool quiet = false;
  std::string device{};         // the Vulkan device's description, if a kernel runs on it
  std::string device_option{};  // " --device NAME" as typed, to repeat a failure
  std::string left_out{};       // default kernels that this machine cannot run, and why

  bool asks_for(std::string_view law) const;
  bool has_subject(const judged_kernel& kernel) const;
  /// The additions that a kernel is held to: those of its operation; of ALiBi in the form that was asked for,
  /// else in the forms that it serves.
  std::vector<const addition_subject*> additions_of(const judged_kernel& kernel) const;
};

/// The laws of an operation that are asked of one kernel.
std::vector<law_text> laws_of_one_kernel(ropewalk_operation operation);

/// The same, and same-as, which compares two.
std::vector<law_text> laws_of(ropewalk_operation operation);

/// Holds every kernel to every law on every subject in every dtype.
///
/// If a promise has no bound for a model's attention factor, the laws that need one are reported as
/// `no_bound`. Requests that came to no verdict are listed in not_judged.
///
/// `judged` is called with the verdicts before the causes of failures are looked for, if there are failures
/// and no verdict awaits an answer; what ends afterwards is not in its results.
///
/// throws  std::invalid_argument when a kernel cannot plan for a model it was asked for
results verify(const verification& request, const std::atomic<bool>& stopped,
               const std::function<void(const results&)>& judged = {});

}  // namespace ropewalk::verify
