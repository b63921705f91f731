// Loops that skip pairs or heads.

#include <algorithm>
#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

// Tail left unrotated: a loop over 8 pairs and 4 heads at a time skips the remainder.
struct tail_steps : canonical_steps {
  bool leaves(std::int64_t head, std::int64_t heads, int pair, int pairs) const {
    return pair >= pairs / 8 * 8 || head >= heads / 4 * 4;
  }
};

// Head group: only the first eight heads, as many as one register holds, are rotated.
struct head_group_steps : canonical_steps {
  bool leaves(std::int64_t head, std::int64_t /*heads*/, int /*pair*/, int /*pairs*/) const {
    return head >= 8;
  }
};

// Grid: one call processes 65,535 heads, the workgroup count that every Vulkan device supports in one
// dimension, and skips the others.
struct grid_steps : canonical_steps {
  void misread(checked_call& call) const {
    constexpr std::int64_t most_heads = 65535;
    call.end = std::min(call.end, call.begin + most_heads / std::max<std::int64_t>(call.query.in.heads(), 1));
  }
};

// Heads of 192 channels taken by the path for 128: the other 64 are left unrotated.
struct head_192_steps : canonical_steps {
  bool leaves(std::int64_t /*head*/, std::int64_t /*heads*/, int pair, int pairs) const {
    return pairs == 192 / 2 && pair >= 128 / 2;
  }
};

}  // namespace

ropewalk_kernel tail() { return kernel_with<tail_steps>("fault-tail"); }
ropewalk_kernel head_group() { return kernel_with<head_group_steps>("fault-head-group"); }
ropewalk_kernel grid() { return kernel_with<grid_steps>("fault-grid"); }
ropewalk_kernel head_192() { return kernel_with<head_192_steps>("fault-head-192"); }

}  // namespace ropewalk::fault
