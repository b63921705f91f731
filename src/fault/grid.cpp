// Grid: one call processes 65,535 heads, the workgroup count that every Vulkan device supports in one
// dimension, and skips the others.

#include <algorithm>
#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct grid_steps : canonical_steps {
  void misread(checked_call& call) const {
    constexpr std::int64_t most_heads = 65535;
    call.end = std::min(call.end, call.begin + most_heads / std::max<std::int64_t>(call.query.in.heads(), 1));
  }
};

}  // namespace

ropewalk_kernel grid() { return kernel_with<grid_steps>("fault-grid"); }

}  // namespace ropewalk::fault
