// Range of tokens from the first on: where a call begins is not looked at.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct range_begin_steps : canonical_steps {
  void misread(checked_call& call) const { call.begin = 0; }
};

}  // namespace

ropewalk_kernel range_begin() { return kernel_with<range_begin_steps>("fault-range-begin"); }

}  // namespace ropewalk::fault
