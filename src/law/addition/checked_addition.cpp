#include "ropewalk/law/addition/checked_addition.hpp"

#include <utility>

namespace ropewalk {

checked_addition::checked_addition(const ropewalk_kernel& kernel, promise promised,
                                   std::shared_ptr<const addition_truth> truth, const asked_calls& calls)
    : checked_kernel(kernel, promised, calls), truth_(std::move(truth)) {
  if (calls.same_as != nullptr)
    same_as_ = std::make_shared<const checked_addition>(
        *calls.same_as, promise_of(*calls.same_as), truth_,
        asked_calls{.positions = calls.positions, .every_environment = calls.every_environment});
}

rotated checked_addition::sums(const law_case& test_case, const call_form& form) const {
  rotated sums = truth_->visit_operation(
      [&]<class Operation>() { return ask<Operation>(plan_of(test_case), test_case, form); });
  keep(test_case, form, sums);
  return sums;
}

std::optional<checked_addition> checked_addition::same_as() const {
  if (same_as_ == nullptr) return std::nullopt;
  std::optional<checked_addition> other = *same_as_;
  other->record_facts_of(*this);
  return other;
}

checked_addition checked_addition::recording(call_record& record) const {
  checked_addition recorded = *this;
  recorded.record_calls(record);
  return recorded;
}

void checked_addition::ask_invalid(const law_case& test_case, const judge_invalid& judge) const {
  truth_->visit_operation([&]<class Operation>() {
    const shared_plan plan = plan_of(test_case);
    ask<Operation>(plan, test_case, {});
    checked_kernel::ask_invalid<Operation>(plan, test_case, judge);
  });
}

checked_kernel::shared_plan checked_addition::plan_of(const law_case& test_case) const {
  return plan_for({.table = test_case.table},
                  [&](const use_encoding& use) { truth_->with_encoding(test_case.table, use); });
}

}  // namespace ropewalk
