#include "ropewalk/law/addition/checked_addition.hpp"

#include <utility>

#include "ropewalk/law/kernel/transcript.hpp"

namespace ropewalk {

checked_addition::checked_addition(const ropewalk_kernel& kernel, promise promised,
                                   std::shared_ptr<const addition_truth> truth, const asked_calls& asked)
    : checked_kernel(kernel, promised, asked), truth_(std::move(truth)) {
  if (asked.same_as != nullptr)
    same_as_ = std::make_unique<checked_addition>(
        *asked.same_as, promise_of(*asked.same_as), truth_,
        asked_calls{.positions = asked.positions, .every_environment = asked.every_environment});
}

rotated checked_addition::sums(const law_case& given, const call_form& form) const {
  rotated r =
      truth_->visit_operation([&]<class Operation>() { return ask<Operation>(plan_of(given), given, form); });
  transcript::keep(this, given, form, r);
  return r;
}

void checked_addition::ask_invalid(const law_case& given, const judge_invalid& judge) const {
  truth_->visit_operation([&]<class Operation>() {
    const shared_plan plan = plan_of(given);
    ask<Operation>(plan, given, {});
    checked_kernel::ask_invalid<Operation>(plan, given, judge);
  });
}

checked_kernel::shared_plan checked_addition::plan_of(const law_case& given) const {
  return plan_for({.table = given.table},
                  [&](const use_encoding& use) { truth_->with_encoding(given.table, use); });
}

}  // namespace ropewalk
