// Pass-through zeroed: the channels from rotary_dim on are cleared, not kept.

#include <cstring>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct pass_through_zeroed_steps : canonical_steps {
  void after_pass_through(std::byte* channels, std::int64_t stride, std::size_t size, int count) const {
    for (int channel = 0; channel < count; ++channel) std::memset(channels + channel * stride, 0, size);
  }
};

}  // namespace

ropewalk_kernel pass_through_zeroed() {
  return kernel_with<pass_through_zeroed_steps>("fault-pass-through-zeroed");
}

}  // namespace ropewalk::fault
