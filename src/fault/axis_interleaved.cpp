// Axes interleaved over the pairs, although each axis has a run of consecutive pairs.

#include <cstddef>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct axis_interleaved_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    for (std::size_t pair = 0; pair < plan.axis.size(); ++pair)
      plan.axis[pair] = static_cast<int>(pair) % plan.axes;
  }
};

}  // namespace

ropewalk_kernel axis_interleaved() { return kernel_with<axis_interleaved_steps>("fault-axis-interleaved"); }

}  // namespace ropewalk::fault
