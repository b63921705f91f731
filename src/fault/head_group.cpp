// Head group: only the first eight heads, as many as one register holds, are rotated.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct head_group_steps : canonical_steps {
  bool leaves(std::int64_t head, std::int64_t /*heads*/, int /*pair*/, int /*pairs*/) const {
    return head >= 8;
  }
};

}  // namespace

ropewalk_kernel head_group() { return kernel_with<head_group_steps>("fault-head-group"); }

}  // namespace ropewalk::fault
