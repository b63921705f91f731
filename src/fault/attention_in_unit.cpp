// Attention factor applied in the unit rotation, too: a cached key that already carries the factor gets it
// again when it is shifted.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct attention_in_unit_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool,
            bool backward) const {
    row.fill(plan, place, false, backward);
  }
};

}  // namespace

ropewalk_kernel attention_in_unit() {
  return kernel_with<attention_in_unit_steps>("fault-attention-in-unit");
}

}  // namespace ropewalk::fault
