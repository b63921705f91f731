#pragma once
// A verification: which kernels and tables are held to which laws on which subjects, and how long.

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

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

/// What else exits with 1, beside what fails and what is not judged.
struct fail_on {
  struct growth {
    double percent = 0;
    std::int64_t position = 0;
  };
  bool vacuous = false;
  bool declined = false;          // even one call within the limits
  bool skipped = false;           // a law that was left out
  std::vector<growth> growths{};  // an error above so much at positions up to one
};

/// What is asked for, every option read.
struct verification {
  std::vector<rotation_subject> models;
  std::vector<addition_subject> additions;
  std::vector<judged_kernel> kernels;
  std::vector<std::string> laws;                      // names of the laws that were asked for; empty: all
  std::map<std::string, std::string> skipped_laws{};  // names of the laws that are left out, and why
  bool kernels_are_named = false;                     // each is then to be judged by something
  bool dtypes_are_named = false;                      // by a named kernel in each
  fail_on fails_on{};
  asked_calls asked{};  // positions and environments
  std::vector<judged_table> tables;
  std::vector<ropewalk_dtype> dtypes;
  std::int64_t cases = 0;  // of each verdict; 0: as many as the time allows
  std::uint64_t seed = 1;
  int threads = 1;
  double budget = 0;  // seconds; 0: none
  bool quiet = false;
  std::string device{};  // the Vulkan device's words where a kernel runs on it, and how --device names it
  std::string device_option{};
  std::string left_out{};  // which kernels run by themselves elsewhere, and why not here

  bool asks_for(std::string_view law) const;
  bool has_subject(const judged_kernel& kernel) const;
};

/// The laws of an operation.
std::vector<law_text> laws_of(ropewalk_operation operation);

/// Holds every kernel to every law on every subject in every dtype.
///
/// Where a promise has no bound for a model's attention factor, the laws that need one are left out and said
/// to be; what was asked for and came to no verdict stands in not_judged.
///
/// throws  std::invalid_argument when a kernel cannot plan for a model it was asked for
results verify(const verification& asked, const std::atomic<bool>& stopped);

}  // namespace ropewalk::verify
