#pragma once
// A kernel that adds rows or biases and is held to the laws, with the exact numbers that it should add.

#include <memory>
#include <utility>

#include "ropewalk/law/addition/addition_truth.hpp"
#include "ropewalk/law/kernel/held_kernel.hpp"

namespace ropewalk {

class held_addition : public held_kernel {
 public:
  held_addition(const ropewalk_kernel& kernel, promise promised, std::shared_ptr<const addition_truth> truth)
      : held_kernel(kernel, promised), truth_(std::move(truth)) {}

  /// The encoding that the kernel is given, with its exact entries.
  const addition_truth& truth() const { return *truth_; }
  /// True: every promise bounds the error of a sum.
  bool has_bound(ropewalk_dtype /*dtype*/) const { return true; }

  /// The case with the entries added by the kernel.
  ///
  /// throws  kernel_trouble
  rotated sums(const law_case& given, const call_form& form = {}) const {
    const ropewalk_plan* plan = plan_for({}, [&](auto use) { truth_->with_encoding(use); });
    return truth_->visit_operation([&]<class Operation>() { return ask<Operation>(plan, given, form); });
  }

 private:
  std::shared_ptr<const addition_truth> truth_;
};

}  // namespace ropewalk
