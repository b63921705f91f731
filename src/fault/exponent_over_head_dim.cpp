// Exponent over head_dim: under partial rotation, frequencies are formed as if the whole head rotated.

#include "fault/canonical_steps.hpp"
#include "fault/changed_rope.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct exponent_over_head_dim_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> whole = changed_rope(encoding, rope_change::exponent_over_head_dim);
    if (!whole) return;
    const auto shared = share<rope_rows::limb_count>(*whole);
    plan.rows =
        rows_of(plan, [&](int pair) { return rope_inv_freq<rope_rows::limb_count>(pair, *whole, shared); });
  }
};

}  // namespace

ropewalk_kernel exponent_over_head_dim() {
  return kernel_with<exponent_over_head_dim_steps>("fault-exponent-over-head-dim");
}

}  // namespace ropewalk::fault
