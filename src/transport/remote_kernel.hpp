#pragma once
// Kernels that run in another process, as kernels of the C interface.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/kernel.h"
#include "transport/described_kernel.hpp"
#include "transport/timed_calls.hpp"

namespace ropewalk::transport {

/// An answer that reports a failure of the kernel, which is a verdict on it.
class failed_answer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An answer that declines a request, which counts as declined.
struct declined_answer {
  std::string field;
  std::string text;
};

/// What a kernel's function returned in its process.
struct remote_answer {
  std::int32_t status = ROPEWALK_OK;
  ropewalk_error error{};
  std::optional<floating_registers> left{};  // its floating environment afterwards; nullopt: as before
};

/// A plan of a kernel that runs elsewhere. Its functions throw no_answer, bad_message, failed_answer,
/// declined_answer and interrupted_wait, and refused_call for what they check themselves.
class remote_plan {
 public:
  virtual ~remote_plan() = default;
  /// `takes_error`: whether the kernel is given a ropewalk_error.
  virtual remote_answer apply(const ropewalk_head* call, const floating_registers& callers,
                              bool takes_error) = 0;
  /// Makes a call several times and says how long each took; nullopt where the kernel does not offer that.
  virtual std::optional<timed_calls> time(const ropewalk_head* /*call*/, int /*calls*/) {
    return std::nullopt;
  }
};

class remote_kernel {
 public:
  explicit remote_kernel(described_kernel about);
  virtual ~remote_kernel() = default;
  remote_kernel(const remote_kernel&) = delete;
  remote_kernel& operator=(const remote_kernel&) = delete;

  /// Throws as the functions of a plan do; `made` stays NULL if the kernel makes no plan.
  virtual remote_answer plan(const ropewalk_head* encoding, std::unique_ptr<remote_plan>& made) = 0;
  /// Passes NULL to the kernel's free_plan.
  virtual void free_null() {}

  const described_kernel& about() const { return about_; }
  /// Its limits, as long as it lives.
  const ropewalk_limits& limits() const { return limits_; }

 private:
  described_kernel about_;
  ropewalk_limits limits_;
};

/// The C interface of a kernel, which lives until the program ends. `process` names its process in errors:
/// "the program".
///
/// throws  bad_input where there are too many such kernels
const ropewalk_kernel& keep(std::unique_ptr<remote_kernel> kernel, const std::string& process);

/// How the process of a kernel that keep() returned first ended or was silent in a request: "the program
/// ended with exit code 1". Empty if it never did.
std::string first_end_of(const ropewalk_kernel& kernel);

/// Calls ask(plan) with the plan that runs elsewhere, if keep() returned the kernel; else does nothing.
///
/// throws  kernel_trouble with what the process did wrong, as an `apply` of the C interface reports it
void with_remote_plan(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                      const std::function<void(remote_plan&)>& ask);

}  // namespace ropewalk::transport
