// Attention factor dropped: cosine and sine are not multiplied by it.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct attention_dropped_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) {
    plan.rows = rows_with_factor(plan, own_number::of(1));
  }
};

}  // namespace

ropewalk_kernel attention_dropped() {
  return kernel_with<attention_dropped_steps>("fault-attention-dropped");
}

}  // namespace ropewalk::fault
