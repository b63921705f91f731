// YaRN floor and ceil dropped: the ramp runs between real numbers although `truncate` is true.

#include "fault/canonical_steps.hpp"
#include "fault/changed_rope.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct yarn_untruncated_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    if (const std::optional<rope> other = changed_rope(encoding, rope_change::untruncated))
      plan.rows = rope_rows(*other);
  }
};

}  // namespace

ropewalk_kernel yarn_untruncated() { return kernel_with<yarn_untruncated_steps>("fault-yarn-untruncated"); }

}  // namespace ropewalk::fault
