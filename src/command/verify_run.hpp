#pragma once
// What `ropewalk verify` does once it knows what was asked: jobs, their verdicts, and what is said of
// failures.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command/kernel_choice.hpp"
#include "command/verified_tables.hpp"
#include "model/model.hpp"
#include "report/report.hpp"
#include "ropewalk/law/addition_laws.hpp"

namespace ropewalk::command {

/// Every promise that a kernel may make, the strictest first.
inline constexpr ropewalk_promise promises_by_strictness[] = {
    ROPEWALK_EXACT, ROPEWALK_CANONICAL, ROPEWALK_ROUNDED_TABLE, ROPEWALK_DTYPE_TABLE, ROPEWALK_ANGLE_F32};

/// A model, and the options that name it on a command line; or what a kernel that adds should add, and no options.
struct verified_model {
  model::model model;
  std::string options;
  std::shared_ptr<const addition_truth> adds{};

  ropewalk_operation operation() const { return adds ? adds->operation() : ROPEWALK_ROTATE; }
};

/// A kernel, how --kernel names it, and the promise it is judged by.
struct verified_kernel {
  chosen_kernel chosen;
  std::string option;
  ropewalk_promise promise = ROPEWALK_CANONICAL;
};

struct verification {
  std::vector<verified_model> models;
  std::vector<verified_kernel> kernels;
  std::vector<const law*> laws;    // of every operation
  bool kernels_are_named = false;  // each is then to be judged by something
  bool laws_are_named = false;     // each is then to judge every kernel
  std::vector<verified_table> tables;
  std::vector<ropewalk_dtype> dtypes;
  std::int64_t cases = 0;  // of each verdict; 0: as many as the time allows
  std::uint64_t seed = 1;
  int threads = 1;
  double budget = 0;  // seconds; 0: none
  bool quiet = false;
  std::string device{};  // the Vulkan device's words where a kernel runs on it, and how --device names it
  std::string device_option{};
  std::string left_out{};  // which kernels run by themselves elsewhere, and why not here
};

/// Holds every kernel to every law on every model in every dtype.
///
/// Where a promise has no bound for a model's attention factor, the laws that need one are left out and said
/// to be; what was asked for and came to no verdict stands in not_judged.
///
/// throws  std::invalid_argument when a kernel cannot plan for a model it was asked for
report::report verify(const verification& asked, const std::atomic<bool>& stopped);

}  // namespace ropewalk::command
