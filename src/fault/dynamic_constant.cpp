// Dynamic NTK constant: the base is formed once, for max_position_embeddings, and does not grow with the
// sequence.

#include "fault/canonical_steps.hpp"
#include "fault/changed_rope.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct dynamic_constant_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    if (const std::optional<rope> other = changed_rope(encoding, rope_change::constant_length))
      plan.rows = rope_rows(*other);
  }
};

}  // namespace

ropewalk_kernel dynamic_constant() { return kernel_with<dynamic_constant_steps>("fault-dynamic-constant"); }

}  // namespace ropewalk::fault
