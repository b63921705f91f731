// End of the range of tokens ignored: every call runs to the last token.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct range_end_steps : canonical_steps {
  void misread(checked_call& call) const { call.end = call.query.in.batch() * call.tokens; }
};

}  // namespace

ropewalk_kernel range_end() { return kernel_with<range_end_steps>("fault-range-end"); }

}  // namespace ropewalk::fault
