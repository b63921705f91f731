// LongRoPE's attention factor dropped where the short list is used, as if it belonged to the long list only.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct longrope_attention_short_dropped_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    const std::optional<rope> own = own_rope<longrope>(encoding);
    if (!own || takes_long_list(own->scaling.as<longrope>(), own->seq_len)) return;
    plan.rows = rows_with_factor(plan, own_number::of(1));
  }
};

}  // namespace

ropewalk_kernel longrope_attention_short_dropped() {
  return kernel_with<longrope_attention_short_dropped_steps>("fault-longrope-attention-short-dropped");
}

}  // namespace ropewalk::fault
