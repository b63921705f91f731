#pragma once
// A kernel of the C interface made from a C++ class: NULLs answered, exceptions turned into statuses, and the
// floating environment saved, set and restored around the work.

#include <cstdint>

#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// What makes a kernel: a plan that is constructed from a resolved encoding and applied without being
/// changed. Both may throw; what they throw becomes a status of kernel.h.
template <class Plan>
concept kernel_plan = requires(const ropewalk_encoding& encoding, const Plan& plan,
                               const ropewalk_call* call) {
  Plan(encoding);
  plan.apply(call);
};

namespace detail {

// Not inlined: the arithmetic stays between the two changes of the environment.
template <class Plan>
[[gnu::noinline]] void apply_plan(const Plan& plan, const ropewalk_call* call) {
  plan.apply(call);
}

template <class Plan>
[[gnu::noinline]] Plan* make_plan(const ropewalk_encoding& encoding) {
  return new Plan(encoding);
}

template <class Plan>
std::int32_t answer_plan(const ropewalk_encoding* encoding, ropewalk_plan** plan,
                         ropewalk_error* error) noexcept {
  const default_floating_environment environment;
  return answer(error, [&] {
    require_pointer(plan, {"", "plan"}, "a place for the plan");
    *plan = nullptr;
    require_pointer(encoding, {"", "encoding"}, "a pointer to a ropewalk_encoding");
    *plan = reinterpret_cast<ropewalk_plan*>(make_plan<Plan>(*encoding));
  });
}

template <class Plan>
std::int32_t answer_apply(const ropewalk_plan* plan, const ropewalk_call* call,
                          ropewalk_error* error) noexcept {
  const default_floating_environment environment;
  return answer(error, [&] {
    require_pointer(plan, {"", "plan"}, "what plan returned");
    apply_plan(*reinterpret_cast<const Plan*>(plan), call);
  });
}

template <class Plan>
void free_plan_of(ropewalk_plan* plan) noexcept {
  delete reinterpret_cast<Plan*>(plan);
}

}  // namespace detail

/// The entry that a library exports for its class.
template <kernel_plan Plan>
constexpr ropewalk_kernel kernel_of(const char* name, ropewalk_promise promise,
                                    ropewalk_operation operation = ROPEWALK_ROTATE) {
  return {.struct_size = sizeof(ropewalk_kernel),
          .abi = ROPEWALK_ABI,
          .name = name,
          .promise = promise,
          .operation = operation,
          .plan = detail::answer_plan<Plan>,
          .apply = detail::answer_apply<Plan>,
          .free_plan = detail::free_plan_of<Plan>};
}

}  // namespace ropewalk
