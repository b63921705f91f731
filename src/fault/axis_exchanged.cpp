// Positions of two axes exchanged, such as height for width.

#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::fault {
namespace {

enum class exchanged { last_two, first_two, ends };

struct axis_exchanged_steps : canonical_steps {
  exchanged which = exchanged::last_two;

  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    const int last = plan.axes - 1;
    if (last < (which == exchanged::last_two ? 1 : 2)) return;  // of two axes, all are the last two
    const int a = which == exchanged::last_two ? last - 1 : 0, b = which == exchanged::first_two ? 1 : last;
    for (int& axis : plan.axis) axis = axis == a ? b : axis == b ? a : axis;
  }
};

template <exchanged which>
ropewalk_kernel kernel_with_exchanged(const char* name) {
  ropewalk_kernel r = kernel_with_steps<axis_exchanged_steps{{}, which}>(name);
  r.limits = &any_pairing_and_position;
  return r;
}

}  // namespace

ropewalk_kernel axis_exchanged() {
  return kernel_with_exchanged<exchanged::last_two>("fault-axis-exchanged");
}

std::vector<known_fault> exchanged_axes() {
  return {{kernel_with_exchanged<exchanged::first_two>("fault-axes-exchanged-first"),
           "the first two axes are exchanged"},
          {kernel_with_exchanged<exchanged::ends>("fault-axes-exchanged-ends"),
           "the first and the last axis are exchanged: the rows of positions are in the opposite order"}};
}

}  // namespace ropewalk::fault
