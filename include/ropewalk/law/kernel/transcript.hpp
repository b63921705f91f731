#pragma once
// Record of a kernel's results while a law is measured, to compare two kernels call by call.

#include <utility>
#include <vector>

#include "ropewalk/law/kernel/kernel_call.hpp"
#include "ropewalk/law/kernel/law_case.hpp"

namespace ropewalk {

/// One call, and both tensors after it.
struct transcribed_call {
  law_case test_case;
  call_form form;
  rotated done;
};

/// Records the results of one kernel on this thread, during its own lifetime.
class transcript {
 public:
  /// `kernel` is the checked_rotation or checked_addition.
  explicit transcript(const void* kernel) : kernel_(kernel), before_(std::exchange(current(), this)) {}
  ~transcript() { current() = before_; }
  transcript(const transcript&) = delete;
  transcript& operator=(const transcript&) = delete;

  /// Returns the calls recorded so far, in order, and forgets them.
  std::vector<transcribed_call> take() { return std::exchange(calls_, {}); }

  /// Records a result, if a transcript of this kernel is the current one on this thread.
  static void keep(const void* kernel, const law_case& test_case, const call_form& form,
                   const rotated& done) {
    if (transcript* const to = current(); to != nullptr && to->kernel_ == kernel)
      to->calls_.push_back({test_case, form, done});
  }

 private:
  static transcript*& current() {
    thread_local transcript* current = nullptr;
    return current;
  }

  const void* kernel_;
  transcript* before_;
  std::vector<transcribed_call> calls_;
};

}  // namespace ropewalk
