#pragma once
// Wraps kernels in another process as kernels of the C interface.

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

/// An answer that reports a failure of the kernel; this is a verdict.
class failed_answer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An answer that declines a request; this counts as declined.
struct declined_answer {
  std::string field;
  std::string text;
};

/// Result of a kernel's function in its process.
struct remote_answer {
  std::int32_t status = ROPEWALK_OK;
  ropewalk_error error{};
  std::optional<floating_registers> left{};  // floating-point environment afterwards; nullopt: unchanged
};

/// A plan of a kernel in another process. Functions throw no_answer, bad_message, failed_answer,
/// declined_answer and interrupted_wait, and refused_call for their own checks.
class remote_plan {
 public:
  virtual ~remote_plan() = default;
  /// `takes_error`: whether to pass a ropewalk_error to the kernel.
  virtual remote_answer apply(const ropewalk_head* call, const floating_registers& callers,
                              bool takes_error) = 0;
  /// Times several equal calls; nullopt if the kernel does not offer that.
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

  /// Throws like the functions of a plan. `made` stays NULL if the kernel makes no plan.
  virtual remote_answer plan(const ropewalk_head* encoding, std::unique_ptr<remote_plan>& made) = 0;
  /// Passes NULL to the kernel's free_plan.
  virtual void free_null() {}

  const described_kernel& about() const { return about_; }
  /// The kernel's limits; they live as long as this object.
  const ropewalk_limits& limits() const { return limits_; }

 private:
  described_kernel about_;
  ropewalk_limits limits_;
};

/// The C interface of a kernel, which lives until the program ends. `process` names the kernel's process in
/// errors: "the program".
///
/// throws  bad_input if there are too many such kernels
const ropewalk_kernel& keep(std::unique_ptr<remote_kernel> kernel, const std::string& process);

/// The first time that the process of a kernel from keep() ended or did not answer: "the program ended with
/// exit code 1". Empty if that never happened.
std::string first_end_of(const ropewalk_kernel& kernel);

/// Calls ask(plan) with the remote plan if the kernel is from keep(); otherwise does nothing.
///
/// throws  kernel_trouble with the process's error, as from `apply` of the C interface
void with_remote_plan(const ropewalk_kernel& kernel, const ropewalk_plan* plan,
                      const std::function<void(remote_plan&)>& ask);

}  // namespace ropewalk::transport
