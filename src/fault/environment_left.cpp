// Floating-point environment not restored: the bits are right, but the caller is left with upward rounding.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::fault {

ropewalk_kernel environment_left() {
  ropewalk_kernel kernel = kernel_with<canonical_steps>("fault-environment-left");
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* call,
                    ropewalk_error* error) -> std::int32_t {
    const std::int32_t status = ropewalk::detail::answer_apply<plan_of_rotation>(plan, call, error);
    write_floating_registers(upward_floating_registers());
    return status;
  };
  return kernel;
}

}  // namespace ropewalk::fault
