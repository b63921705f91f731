// Positions read as contiguous in memory, whatever their stride.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct position_step_steps : canonical_steps {
  void misread(checked_call& call) const { call.position_stride[2] = 1; }
};

}  // namespace

ropewalk_kernel position_step() { return kernel_with<position_step_steps>("fault-position-step"); }

}  // namespace ropewalk::fault
