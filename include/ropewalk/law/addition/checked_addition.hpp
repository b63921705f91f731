#pragma once
// An addition kernel under test, with the exact rows or biases that it should add.

#include <memory>
#include <optional>

#include "ropewalk/law/addition/addition_truth.hpp"
#include "ropewalk/law/kernel/checked_kernel.hpp"

namespace ropewalk {

class checked_addition : public checked_kernel {
 public:
  checked_addition(const ropewalk_kernel& kernel, promise promised,
                   std::shared_ptr<const addition_truth> truth, const asked_calls& calls = {});

  /// Another kernel with the same promise, limits, encoding and calls, which shares the exact entries.
  checked_addition with_kernel(const ropewalk_kernel& other) const { return {*this, other}; }

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

  /// The other kernel of the law same-as, with the same encoding, recorded with this one; nullopt if there is
  /// none.
  std::optional<checked_addition> same_as() const;
  /// Whether the kernel serves a case, and so does the other kernel of the law same-as.
  bool allows(const law_case& test_case) const {
    return served().allow(test_case) && (same_as_ == nullptr || same_as_->served().allow(test_case));
  }

  /// The same kernel, whose calls write a record, which must outlive it.
  checked_addition recording(call_record& record) const;

  /// Makes every invalid call that can be derived from the case.
  ///
  /// throws  kernel_trouble where the valid call is refused
  void ask_invalid(const law_case& test_case, const judge_invalid& judge) const;

 private:
  checked_addition(const checked_addition& like, const ropewalk_kernel& kernel)
      : checked_kernel(like, kernel), truth_(like.truth_), same_as_(like.same_as_) {}

  shared_plan plan_of(const law_case& test_case) const;

  std::shared_ptr<const addition_truth> truth_;
  std::shared_ptr<const checked_addition> same_as_;
};

}  // namespace ropewalk
