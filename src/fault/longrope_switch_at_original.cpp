// LongRoPE switch at >= L: the long list is taken one token early, for a sequence of exactly the original
// length.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct longrope_switch_at_original_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    std::optional<rope> own = own_rope<longrope>(encoding);
    if (!own ||
        static_cast<double>(own->seq_len) != own->scaling.as<longrope>().original_max_position_embeddings)
      return;
    ++own->seq_len;
    plan.rows = rope_rows(*own);
  }
};

}  // namespace

ropewalk_kernel longrope_switch_at_original() {
  return kernel_with<longrope_switch_at_original_steps>("fault-longrope-switch-at-original");
}

}  // namespace ropewalk::fault
