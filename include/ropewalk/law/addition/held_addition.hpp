#pragma once
// An addition kernel that is held to the laws, with the exact rows or biases that it should add.

#include <memory>
#include <utility>

#include "ropewalk/law/addition/addition_truth.hpp"
#include "ropewalk/law/kernel/held_kernel.hpp"
#include "ropewalk/law/kernel/transcript.hpp"

namespace ropewalk {

class held_addition : public held_kernel {
 public:
  held_addition(const ropewalk_kernel& kernel, promise promised, std::shared_ptr<const addition_truth> truth,
                const asked_calls& asked = {})
      : held_kernel(kernel, promised, asked), truth_(std::move(truth)) {}

  /// The encoding that the kernel is given, and its exact entries.
  const addition_truth& truth() const { return *truth_; }
  /// True: every promise bounds the error of a sum.
  bool has_bound(ropewalk_dtype /*dtype*/) const { return true; }

  /// Result of the case from the kernel.
  ///
  /// throws  kernel_trouble
  rotated sums(const law_case& given, const call_form& form = {}) const {
    rotated r = truth_->visit_operation(
        [&]<class Operation>() { return ask<Operation>(plan_of(given), given, form); });
    transcript::keep(this, given, form, r);
    return r;
  }

  /// Makes every invalid call that can be derived from the case:
  /// judge(what is invalid, status, whether anything was written).
  ///
  /// throws  kernel_trouble where the valid call is refused
  template <class Judge>
  void ask_invalid(const law_case& given, Judge judge) const {
    truth_->visit_operation([&]<class Operation>() {
      const shared_plan plan = plan_of(given);
      ask<Operation>(plan, given, {});
      held_kernel::ask_invalid<Operation>(plan, given, judge);
    });
  }

 private:
  shared_plan plan_of(const law_case& given) const {
    return plan_for({.table = given.table}, [&](auto use) { truth_->with_encoding(given.table, use); });
  }

  std::shared_ptr<const addition_truth> truth_;
};

}  // namespace ropewalk
