// Positions of the last two axes exchanged: height for width.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct axis_exchanged_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    for (int& axis : plan.axis)
      if (plan.axes > 1 && axis >= plan.axes - 2) axis = 2 * plan.axes - 3 - axis;
  }
};

}  // namespace

ropewalk_kernel axis_exchanged() {
  ropewalk_kernel r = kernel_with<axis_exchanged_steps>("fault-axis-exchanged");
  r.limits = &any_pairing_and_position;
  return r;
}

}  // namespace ropewalk::fault
