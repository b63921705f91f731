#pragma once
// A verification: the kernels, tables, laws and subjects to check, and the time for it.

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

/// A kernel, its --kernel value, and the promise that it is judged by.
struct judged_kernel {
  chosen_kernel chosen;
  std::string option;
  promise promised = promise::canonical;

  ropewalk_operation operation() const { return static_cast<ropewalk_operation>(chosen.entry->operation); }
};

/// Conditions of --fail-on. Each makes the exit code 1, as failures and requests without a verdict do.
struct fail_on {
  struct growth {
    double percent = 0;
    std::int64_t position = 0;
  };
  bool vacuous = false;
  bool skipped = false;           // a law was skipped
  std::vector<growth> growths{};  // an error above `percent` at positions up to `position`
};

/// A request to verify, parsed from the options.
struct verification {
  std::vector<rotation_subject> models;
  std::vector<addition_subject> additions;
  std::vector<judged_kernel> kernels;
  std::vector<std::string> ended{};                   // libraries whose process ended while loading
  std::vector<std::string> laws;                      // names of the requested laws; empty: all
  std::map<std::string, std::string> skipped_laws{};  // names of the skipped laws, and why
  std::optional<judged_kernel> same_as{};  // the kernel whose bits are required; no other law then runs
  bool kernels_are_named = false;          // each kernel then needs a verdict
  bool dtypes_are_named = false;           // each named kernel then needs a verdict in each dtype
  fail_on fails_on{};
  asked_calls calls{};                        // positions and environments
  std::optional<alibi_form> form{};           // of ALiBi's kernels
  std::vector<judged_table> tables;           // this library's own
  std::vector<given_array> arrays;            // of files
  std::vector<std::string> missing_layers{};  // layers without an array
  std::vector<ropewalk_dtype> dtypes;
  std::int64_t cases = 0;  // per verdict; 0: as many as time allows
  bool allows_cut = false;
  bool allows_declined = false;
  std::uint64_t seed = 1;
  int threads = 1;
  double budget = 0;  // seconds of the budget clock, filled with further cases; 0: none
  double limit = 0;   // seconds; cases that verdicts need may run past the budget until then
  /// Seconds of the budget clock to diagnose failures; 0: no diagnosis; none: no limit.
  std::optional<double> diagnosis{};
  bool quiet = false;
  std::string device{};         // the Vulkan device's description, if a kernel runs on it
  std::string device_option{};  // " --device NAME" as typed, to repeat a failure
  std::string left_out{};       // default kernels that this machine cannot run, and why

  bool asks_for(std::string_view law) const;
  bool has_subject(const judged_kernel& kernel) const;
  /// The additions that a kernel is checked on: those of its operation. For ALiBi: in the requested form,
  /// else in the forms that it serves.
  std::vector<const addition_subject*> additions_of(const judged_kernel& kernel) const;
};

/// The laws of an operation that judge one kernel.
std::vector<law_text> laws_of_one_kernel(ropewalk_operation operation);

/// laws_of_one_kernel, and same-as, which compares two kernels.
std::vector<law_text> laws_of(ropewalk_operation operation);

/// Checks every kernel by every law on every subject in every dtype.
///
/// If a promise has no bound for a model's attention factor, the laws that need one are reported as
/// `no_bound`. Requests that came to no verdict are listed in not_judged.
///
/// If there are failures and no verdict awaits an answer, `judged` is called with the verdicts before the
/// diagnosis. Processes that end later are not in its results.
///
/// throws  std::invalid_argument when a kernel cannot plan for a model it was asked for
results verify(const verification& request, const std::atomic<bool>& stopped,
               const std::function<void(const results&)>& judged = {});

}  // namespace ropewalk::verify
