// Begin of the range of tokens ignored: every call starts at the first token.

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
