#pragma once
// An addition kernel under test, with the exact rows or biases that it should add.

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
  /// Whether the kernel serves binary64 positions, and the encoding has rows for them.
  bool serves_real_positions() const {
    return served().serves_real_positions() && truth().has_real_positions();
  }
  /// True: every promise bounds the error of a sum.
  bool has_bound(ropewalk_dtype /*dtype*/) const { return true; }

  /// Result of the case from the kernel.
  ///
  /// throws  kernel_trouble
  rotated sums(const law_case& test_case, const call_form& form = {}) const;

  /// The other kernel of the law same-as, with the same encoding; NULL if there is none.
  const checked_addition* same_as() const { return same_as_.get(); }
  /// Whether the kernel serves a case, and so does the other kernel of the law same-as.
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
