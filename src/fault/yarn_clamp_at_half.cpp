// YaRN ramp clamped to rotary_dim / 2 - 1, the last pair, instead of rotary_dim - 1: a ramp that ends beyond
// the last pair becomes too steep.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct yarn_clamp_at_half_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<yarn>(encoding);
    if (!own) return;
    own_shared shared = share<rope_rows::limb_count>(*own);
    const own_number last = own_number::of(pair_count(*own) - 1);
    if (compare(shared.ramp.high, last) != order::greater || compare(shared.ramp.low, last) != order::less)
      return;
    shared.ramp.high = last;
    rope plain = *own;
    plain.scaling = unscaled{};
    const quotient factor = scale_of(own->scaling.as<yarn>());
    plan.rows = rows_of(plan, [&](int pair) {
      if (pair < pair_count(*own) - 1) return rope_inv_freq<rope_rows::limb_count>(pair, *own, shared);
      // The ramp is exactly 1 here, which an enclosure cannot decide: divide by the factor.
      return rope_inv_freq<rope_rows::limb_count>(pair, plain, share<rope_rows::limb_count>(plain)) *
             own_number::of(factor.denominator) / own_number::of(factor.numerator);
    });
  }
};

}  // namespace

ropewalk_kernel yarn_clamp_at_half() {
  return kernel_with<yarn_clamp_at_half_steps>("fault-yarn-clamp-at-half");
}

}  // namespace ropewalk::fault
