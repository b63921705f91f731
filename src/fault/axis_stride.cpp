// Stride between the positions of two axes taken as the number of tokens, whatever the batch and the strides.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct axis_stride_steps : canonical_steps {
  void misread(checked_call& call) const { call.position_stride[0] = call.tokens; }
};

}  // namespace

ropewalk_kernel axis_stride() { return kernel_with<axis_stride_steps>("fault-axis-stride"); }

}  // namespace ropewalk::fault
