// Attention factor dropped: cosine and sine are not multiplied by it.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct attention_dropped_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool,
            bool backward) const {
    row.fill(plan, place, true, backward);
  }
};

}  // namespace

ropewalk_kernel attention_dropped() {
  return kernel_with<attention_dropped_steps>("fault-attention-dropped");
}

}  // namespace ropewalk::fault
