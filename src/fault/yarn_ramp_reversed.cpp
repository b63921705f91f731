// YaRN ramp reversed: the weights of the kept and of the divided frequency are exchanged, so that fast pairs
// are divided and slow ones kept.

#include "fault/canonical_steps.hpp"
#include "fault/changed_rope.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct yarn_ramp_reversed_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<yarn>(encoding);
    if (!own) return;
    const std::vector<own_number> inv_freqs = reversed_ramp(*own);
    plan.rows = rows_of(plan, [&](int pair) { return inv_freqs[static_cast<std::size_t>(pair)]; });
  }
};

}  // namespace

ropewalk_kernel yarn_ramp_reversed() {
  return kernel_with<yarn_ramp_reversed_steps>("fault-yarn-ramp-reversed");
}

}  // namespace ropewalk::fault
