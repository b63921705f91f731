// Each axis given a run of consecutive pairs, although the axes are interleaved; each has as many pairs.

#include <algorithm>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct axis_runs_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    std::sort(plan.axis.begin(), plan.axis.end());
  }
};

}  // namespace

ropewalk_kernel axis_runs() { return kernel_with<axis_runs_steps>("fault-axis-runs"); }

}  // namespace ropewalk::fault
