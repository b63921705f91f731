// A row of positions for each batch row, where one is shared with stride 0.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct shared_row_steps : canonical_steps {
  void misread(checked_call& call) const {
    if (call.position_stride[1] == 0) call.position_stride[1] = call.tokens;
  }
};

}  // namespace

ropewalk_kernel shared_row() { return kernel_with<shared_row_steps>("fault-shared-row"); }

}  // namespace ropewalk::fault
