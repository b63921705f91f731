#pragma once
// Makes a kernel of the C interface from a C++ class. It refuses NULL pointers, turns exceptions into
// statuses, and saves, sets and restores the floating-point environment around the work.

#include <cstdint>
#include <type_traits>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/error.hpp"
#include "ropewalk/kernel/floating_environment.hpp"
#include "ropewalk/kernel/kernel.h"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/kernel/plan_by_axis.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk {

/// A plan class: constructed from a resolved encoding of one operation, and applied as const. Exceptions of
/// both become statuses of kernel.h.
template <class Plan>
concept kernel_plan = requires(const typename Plan::operation::encoding& encoding, const Plan& plan,
                               const typename Plan::operation::call& call) {
  Plan(encoding);
  plan.apply(call);
};

namespace detail {

// Not inlined, so that its arithmetic stays between the two changes of the environment.
template <class Plan>
[[gnu::noinline]] void apply_plan(const Plan& plan, const ropewalk_head* call) {
  using operation = typename Plan::operation;
  if (const auto* here = struct_in_place<typename operation::call>(call, operation::number))
    plan.apply(*here);
  else
    plan.apply(read_struct<typename operation::call>(call, operation::number, "call"));
}

template <class Plan>
[[gnu::noinline]] Plan* make_plan(const ropewalk_head* encoding) {
  using operation = typename Plan::operation;
  return new Plan(read_struct<typename operation::encoding>(encoding, operation::number, "encoding"));
}

/// Returns the plan that `make` constructs, or the status of its exception.
template <class Plan>
std::int32_t answer_made(const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error,
                         Plan* (*make)(const ropewalk_head*)) noexcept {
  const default_floating_environment environment;
  return answer(error, [&] {
    require_pointer(plan, {"", "plan"}, "a pointer that receives the plan");
    *plan = nullptr;
    *plan = reinterpret_cast<ropewalk_plan*>(make(encoding));
  });
}

template <class Plan>
std::int32_t answer_plan(const ropewalk_head* encoding, ropewalk_plan** plan,
                         ropewalk_error* error) noexcept {
  return answer_made<Plan>(encoding, plan, error, make_plan<Plan>);
}

template <class Plan>
std::int32_t answer_apply(const ropewalk_plan* plan, const ropewalk_head* call,
                          ropewalk_error* error) noexcept {
  const default_floating_environment environment;
  return answer(error, [&] {
    require_pointer(plan, {"", "plan"}, "a plan made by this kernel");
    apply_plan(*reinterpret_cast<const Plan*>(plan), call);
  });
}

template <class Plan>
void free_plan_of(ropewalk_plan* plan) noexcept {
  delete reinterpret_cast<Plan*>(plan);
}

/// The object behind a ropewalk_plan: the plan itself or, for a rotation with two pairings only, plans of
/// slices.
template <class Plan, bool IsOfTwoPairings>
struct kept {
  using type = Plan;
};
template <class Plan>
struct kept<Plan, true> {
  using type = plan_by_axis<Plan>;
};
template <class Plan>
using kept_plan =
    typename kept<Plan, std::is_same_v<typename Plan::operation, rotate> && !has_every_pairing<Plan>>::type;

}  // namespace detail

/// Limits of a kernel that serves only these formats.
template <floating_format... Floats>
constexpr ropewalk_limits only_formats() {
  ropewalk_limits limits{};
  limits.struct_size = sizeof(ropewalk_limits);
  limits.dtypes = ((1u << dtype_of<Floats>) | ...);
  return limits;
}

/// Every enum ropewalk_position_kind, as a set.
inline constexpr std::uint64_t all_position_kinds = std::uint64_t{1} << ROPEWALK_COUNTED |
                                                    std::uint64_t{1} << ROPEWALK_POSITIONS_I32 |
                                                    std::uint64_t{1} << ROPEWALK_POSITIONS_F64;

/// The limits, with binary64 positions served too.
constexpr ropewalk_limits with_real_positions(ropewalk_limits limits = {}) {
  limits.struct_size = sizeof(ropewalk_limits);
  limits.position_kinds = all_position_kinds;
  return limits;
}
inline constexpr ropewalk_limits every_position_kind = with_real_positions();

/// The limits, with every pairing. All rotations that kernel_of makes have them.
constexpr ropewalk_limits with_every_pairing(ropewalk_limits limits = {}) {
  limits.struct_size = sizeof(ropewalk_limits);
  limits.pairings = all_pairings;
  return limits;
}
inline constexpr ropewalk_limits any_pairing = with_every_pairing();
inline constexpr ropewalk_limits any_pairing_and_position = with_every_pairing(with_real_positions());

/// The struct that a library exports for a plan class. The pointers must stay valid while the library is
/// loaded. NULL `limits`: no limits; for a rotation, every pairing.
template <kernel_plan Plan>
constexpr ropewalk_kernel kernel_stating(const char* name, const ropewalk_promise* promised,
                                         const ropewalk_limits* limits = nullptr) {
  if (limits == nullptr && Plan::operation::number == ROPEWALK_ROTATE) limits = &any_pairing;
  using kept = detail::kept_plan<Plan>;
  return {.struct_size = sizeof(ropewalk_kernel),
          .abi = ROPEWALK_ABI,
          .name = name,
          .operation = Plan::operation::number,
          .promise = promised,
          .limits = limits,
          .plan = detail::answer_plan<kept>,
          .apply = detail::answer_apply<kept>,
          .free_plan = detail::free_plan_of<kept>};
}

/// The same for a named promise.
template <kernel_plan Plan>
constexpr ropewalk_kernel kernel_of(const char* name, const promise& promised,
                                    const ropewalk_limits* limits = nullptr) {
  return kernel_stating<Plan>(name, detail::find_stated(promised), limits);
}

}  // namespace ropewalk
