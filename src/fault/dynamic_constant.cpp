// Dynamic NTK constant: the base is formed once, for max_position_embeddings, and does not grow with the
// sequence.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct dynamic_constant_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    std::optional<rope> own = own_rope<dynamic>(encoding);
    if (!own) return;
    own->seq_len = 0;
    plan.rows = rope_rows(*own);
  }
};

}  // namespace

ropewalk_kernel dynamic_constant() { return kernel_with<dynamic_constant_steps>("fault-dynamic-constant"); }

}  // namespace ropewalk::fault
