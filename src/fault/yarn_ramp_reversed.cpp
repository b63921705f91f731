// YaRN ramp reversed: the weights of the kept and of the divided frequency are exchanged, so that fast pairs
// are divided and slow ones kept.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct yarn_ramp_reversed_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<yarn>(encoding);
    if (!own) return;
    const auto shared = share<rope_rows::limb_count>(*own);
    const quotient scale = scale_of(own->scaling.as<yarn>());
    const own_number divisor = own_number::of(scale.numerator) / own_number::of(scale.denominator);
    plan.rows = rows_of(plan, [&](int pair) {
      const own_number kept = detail::unscaled_inv_freq<rope_rows::limb_count>(pair, *own, shared);
      return kept + kept / divisor - rope_inv_freq<rope_rows::limb_count>(pair, *own, shared);
    });
  }
};

}  // namespace

ropewalk_kernel yarn_ramp_reversed() {
  return kernel_with<yarn_ramp_reversed_steps>("fault-yarn-ramp-reversed");
}

}  // namespace ropewalk::fault
