// YaRN ramp clamped to rotary_dim / 2 - 1, the last pair, instead of rotary_dim - 1: a ramp that ends beyond
// the last pair becomes too steep.

#include "fault/canonical_steps.hpp"
#include "fault/changed_rope.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct yarn_clamp_at_half_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<yarn>(encoding);
    if (!own) return;
    const std::vector<own_number> inv_freqs = clamped_ramp(*own);
    if (!inv_freqs.empty())
      plan.rows = rows_of(plan, [&](int pair) { return inv_freqs[static_cast<std::size_t>(pair)]; });
  }
};

}  // namespace

ropewalk_kernel yarn_clamp_at_half() {
  return kernel_with<yarn_clamp_at_half_steps>("fault-yarn-clamp-at-half");
}

}  // namespace ropewalk::fault
