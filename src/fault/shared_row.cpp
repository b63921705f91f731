// Stride 0 ignored: one row of positions, shared by all batch rows, is read as one row for each batch row.

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
