// The place of the channels that rotate ignored: the first ones turn.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct first_channels_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& encoding) {
    plan.rotary_begin = 0;
    plan.layout.head.head_dim = encoding.head_dim;
  }
};

}  // namespace

ropewalk_kernel first_channels() { return kernel_with<first_channels_steps>("fault-first-channels"); }

}  // namespace ropewalk::fault
