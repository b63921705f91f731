// Several axes: pairs that rotate by the wrong axis, and positions that are misread.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::fault {
namespace {

// Positions of all axes but the first ignored: the first axis rotates every pair, as in text.
struct axis_first_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    std::fill(plan.axis.begin(), plan.axis.end(), 0);
  }
};

// Each axis given a run of consecutive pairs, although the axes are interleaved; the number of pairs per axis
// is kept.
struct axis_runs_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    std::sort(plan.axis.begin(), plan.axis.end());
  }
};

// Axes interleaved over the pairs, although each axis has a run of consecutive pairs.
struct axis_interleaved_steps : canonical_steps {
  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    for (std::size_t pair = 0; pair < plan.axis.size(); ++pair)
      plan.axis[pair] = static_cast<int>(pair) % plan.axes;
  }
};

// Positions of two axes exchanged, such as height for width.
enum class exchanged { last_two, first_two, ends };

struct axis_exchanged_steps : canonical_steps {
  exchanged which = exchanged::last_two;

  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) const {
    const int last = plan.axes - 1;
    if (last < (which == exchanged::last_two ? 1 : 2)) return;  // with two axes, these are the last two
    const int a = which == exchanged::last_two ? last - 1 : 0, b = which == exchanged::first_two ? 1 : last;
    for (int& axis : plan.axis) axis = axis == a ? b : axis == b ? a : axis;
  }
};

template <exchanged which>
ropewalk_kernel kernel_with_exchanged(const char* name) {
  ropewalk_kernel kernel = kernel_with_steps<axis_exchanged_steps{{}, which}>(name);
  kernel.limits = &any_pairing_and_position;
  return kernel;
}

// Stride between the positions of two axes taken as the number of tokens, regardless of batch and strides.
struct axis_stride_steps : canonical_steps {
  void misread(checked_call& call) const { call.position_stride[0] = call.tokens; }
};

}  // namespace

ropewalk_kernel axis_first() {
  ropewalk_kernel kernel = kernel_with<axis_first_steps>("fault-axis-first");
  kernel.limits = &any_pairing_and_position;
  return kernel;
}

ropewalk_kernel axis_runs() { return kernel_with<axis_runs_steps>("fault-axis-runs"); }
ropewalk_kernel axis_interleaved() { return kernel_with<axis_interleaved_steps>("fault-axis-interleaved"); }

ropewalk_kernel axis_exchanged() {
  return kernel_with_exchanged<exchanged::last_two>("fault-axis-exchanged");
}

std::vector<known_fault> exchanged_axes() {
  return {{kernel_with_exchanged<exchanged::first_two>("fault-axes-exchanged-first"),
           "the first two axes are exchanged"},
          {kernel_with_exchanged<exchanged::ends>("fault-axes-exchanged-ends"),
           "the first and the last axis are exchanged: the rows of positions are in the opposite order"}};
}

ropewalk_kernel axis_stride() { return kernel_with<axis_stride_steps>("fault-axis-stride"); }

}  // namespace ropewalk::fault
