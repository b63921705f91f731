#pragma once
// An addition kernel that is held to the laws, with the exact rows or biases that it should add.

#include <memory>

#include "ropewalk/law/addition/addition_truth.hpp"
#include "ropewalk/law/kernel/checked_kernel.hpp"

namespace ropewalk {

class checked_addition : public checked_kernel {
 public:
  checked_addition(const ropewalk_kernel& kernel, promise promised,
                   std::shared_ptr<const addition_truth> truth, const asked_calls& calls = {});

  /// The encoding that the kernel is given, and its exact entries.
  const addition_truth& truth() const { return *truth_; }
  /// Whether the kernel serves positions in binary64, and the encoding has rows of them.
  bool serves_real_positions() const {
    return served().serves_real_positions() && truth().has_real_positions();
  }
  /// True: every promise bounds the error of a sum.
  bool has_bound(ropewalk_dtype /*dtype*/) const { return true; }

  /// Result of the case from the kernel.
  ///
  /// throws  kernel_trouble
  rotated sums(const law_case& test_case, const call_form& form = {}) const;

  /// The kernel whose bits are asked for, held to the same encoding; NULL where none is.
  const checked_addition* same_as() const { return same_as_.get(); }
  /// Whether the kernel serves a case, and so does the one whose bits are asked for.
  bool allows(const law_case& test_case) const {
    return served().allow(test_case) && (same_as_ == nullptr || same_as_->served().allow(test_case));
  }

  /// Makes every invalid call that can be derived from the case.
  ///
  /// throws  kernel_trouble where the valid call is refused
  void ask_invalid(const law_case& test_case, const judge_invalid& judge) const;

 private:
  shared_plan plan_of(const law_case& test_case) const;

  std::shared_ptr<const addition_truth> truth_;
  std::unique_ptr<checked_addition> same_as_;
};

}  // namespace ropewalk
