// Backward flag ignored: gradients are rotated in the direction of the values.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct backward_is_forward_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool) const {
    row.fill(plan, place, unit, false);
  }
};

}  // namespace

ropewalk_kernel backward_is_forward() {
  return kernel_with<backward_is_forward_steps>("fault-backward-is-forward");
}

}  // namespace ropewalk::fault
