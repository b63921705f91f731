#pragma once
// A kernel of the C interface made from a C++ class: NULLs answered, exceptions turned into statuses, and the
// floating environment saved, set and restored around the work.

#include <cstdint>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk {

/// What makes a kernel: a plan of an operation that is constructed from a resolved encoding and applied without being
/// changed. Both may throw; what they throw becomes a status of kernel.h.
template <class Plan>
concept kernel_plan = requires(const typename Plan::operation::encoding& encoding, const Plan& plan,
                               const typename Plan::operation::call& call) {
  Plan(encoding);
  plan.apply(call);
};

namespace detail {

// Not inlined: the arithmetic stays between the two changes of the environment.
template <class Plan>
[[gnu::noinline]] void apply_plan(const Plan& plan, const ropewalk_head* call) {
  using operation = typename Plan::operation;
  plan.apply(read_struct<typename operation::call>(call, operation::number, "call"));
}

template <class Plan>
[[gnu::noinline]] Plan* make_plan(const ropewalk_head* encoding) {
  using operation = typename Plan::operation;
  return new Plan(read_struct<typename operation::encoding>(encoding, operation::number, "encoding"));
}

template <class Plan>
std::int32_t answer_plan(const ropewalk_head* encoding, ropewalk_plan** plan,
                         ropewalk_error* error) noexcept {
  const default_floating_environment environment;
  return answer(error, [&] {
    require_pointer(plan, {"", "plan"}, "a place for the plan");
    *plan = nullptr;
    *plan = reinterpret_cast<ropewalk_plan*>(make_plan<Plan>(encoding));
  });
}

template <class Plan>
std::int32_t answer_apply(const ropewalk_plan* plan, const ropewalk_head* call,
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

/// Limits of a kernel that serves some formats alone.
template <floating_format... Floats>
constexpr ropewalk_limits only_formats() {
  ropewalk_limits r{};
  r.struct_size = sizeof(ropewalk_limits);
  r.dtypes = ((1u << dtype_of<Floats>) | ...);
  return r;
}

/// The entry that a library exports for its class. What is pointed to must last as long as the library; NULL for no
/// limits.
template <kernel_plan Plan>
constexpr ropewalk_kernel kernel_stating(const char* name, const ropewalk_promise* promised,
                                         const ropewalk_limits* limits = nullptr) {
  return {.struct_size = sizeof(ropewalk_kernel),
          .abi = ROPEWALK_ABI,
          .name = name,
          .operation = Plan::operation::number,
          .promise = promised,
          .limits = limits,
          .plan = detail::answer_plan<Plan>,
          .apply = detail::answer_apply<Plan>,
          .free_plan = detail::free_plan_of<Plan>};
}

/// The same with a promise that has a name.
template <kernel_plan Plan>
constexpr ropewalk_kernel kernel_of(const char* name, const promise& promised,
                                    const ropewalk_limits* limits = nullptr) {
  return kernel_stating<Plan>(name, detail::find_stated(promised), limits);
}

}  // namespace ropewalk
