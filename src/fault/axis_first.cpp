// Positions of all axes but the first ignored: the first axis turns every pair, as in text.

#include <algorithm>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct axis_first_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    std::fill(plan.axis.begin(), plan.axis.end(), 0);
  }
};

}  // namespace

ropewalk_kernel axis_first() {
  ropewalk_kernel r = kernel_with<axis_first_steps>("fault-axis-first");
  r.limits = &any_pairing_and_position;
  return r;
}

}  // namespace ropewalk::fault
