#include "ropewalk/law/kernel/checked_kernel.hpp"

#include <utility>

namespace ropewalk {

checked_kernel::checked_kernel(const ropewalk_kernel& kernel, promise promised, const asked_calls& calls) {
  const served_calls served =
      (kernel.limits == nullptr ? served_calls() : served_calls(*kernel.limits)).within(calls.positions);
  const bool is_asked_everywhere =
      (calls.every_environment || promises_bits(promised)) && !served.lacks(ROPEWALK_NO_ENVIRONMENT);
  state_.reset(new shared_state{kernel, promised, served, is_asked_everywhere, shared_memory_of(kernel)});
}

checked_kernel::checked_kernel(const checked_kernel& like, const ropewalk_kernel& kernel) {
  ropewalk_kernel with_limits = kernel;
  with_limits.limits = like.kernel().limits;
  state_.reset(new shared_state{with_limits, like.promised(), like.served(), like.is_asked_everywhere(),
                                shared_memory_of(kernel)});
}

checked_kernel::shared_plan checked_kernel::plan_for(
    const plan_key& key, const std::function<void(const use_encoding&)>& with_encoding) const {
  const std::lock_guard lock(state_->plans_mutex);
  std::map<plan_key, shared_plan>& plans = state_->plans;
  if (const auto kept = plans.find(key); kept != plans.end()) return kept->second;
  ropewalk_plan* made = nullptr;
  with_encoding([&](const ropewalk_head& encoding) {
    ropewalk_error error{};
    const std::int32_t status = detail::plan_once(kernel(), encoding, made, error);
    try {
      detail::expect_ok(status, error);
    } catch (const kernel_trouble& trouble) {
      if (status == ROPEWALK_UNSUPPORTED) throw declined_plan(trouble.what());
      throw;
    }
  });
  if (made == nullptr) throw kernel_trouble(ROPEWALK_OK, "plan returned ROPEWALK_OK but no plan");
  // If the kernel refuses but leaves a plan behind, that plan is neither applied nor freed.
  if (!key.is_usual() && plans.size() >= most_plans)
    std::erase_if(plans, [](const auto& kept) { return !kept.first.is_usual(); });
  const auto free_plan = kernel().free_plan;
  return plans[key] = shared_plan(
             made, [free_plan](const ropewalk_plan* plan) { free_plan(const_cast<ropewalk_plan*>(plan)); });
}

void checked_kernel::hand_over(const shared_plan& plan, const law_case& test_case,
                               ropewalk_rotation_call& call) const {
  const auto apply = [&] {
    ropewalk_error error{};
    const std::int32_t status = detail::apply_once(kernel(), plan.get(), call.head, &error,
                                                   detail::registers_of(test_case.environment));
    detail::expect_ok(status, error, facts_);
  };
  const bool was_rank_3 = call.query_in.rank == 3;
  try {
    apply();
    if (!was_rank_3) keep_rank_4_served();
  } catch (const kernel_trouble& trouble) {
    if (was_rank_3 || test_case.batch != 1 || !may_serve_rank_3_alone(trouble)) throw;
    detail::take_rank_3(call);
    apply();
  }
}

void checked_kernel::keep_rank_4_served() const {
  if (facts_ != nullptr && facts_->is_answer_awaited) return;
  const std::lock_guard lock(state_->ranks_mutex);
  state_->serves_rank_4 = true;
  if (const auto declined = std::exchange(state_->declined_rank_4, std::nullopt)) throw *declined;
}

bool checked_kernel::may_serve_rank_3_alone(const kernel_trouble& trouble) const {
  if (trouble.status() != ROPEWALK_UNSUPPORTED) return false;
  const std::lock_guard lock(state_->ranks_mutex);
  if (!state_->serves_rank_4) state_->declined_rank_4 = trouble;
  return !state_->serves_rank_4;
}

}  // namespace ropewalk
