// YaRN floor and ceil dropped: the ramp runs between real numbers although `truncate` is true.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/own_frequencies.hpp"

namespace ropewalk::fault {
namespace {

struct yarn_untruncated_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    std::optional<rope> own = own_rope<yarn>(encoding);
    if (!own) return;
    own->scaling.as<yarn>().truncate = false;
    plan.rows = rope_rows(*own);
  }
};

}  // namespace

ropewalk_kernel yarn_untruncated() { return kernel_with<yarn_untruncated_steps>("fault-yarn-untruncated"); }

}  // namespace ropewalk::fault
