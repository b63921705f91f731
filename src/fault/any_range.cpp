// A range of tokens that ends before it begins is accepted, and nothing is done.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct any_range_steps : canonical_steps {
  bool accepts(const ropewalk_rotation_call& call) const { return call.tokens.begin > call.tokens.end; }
};

}  // namespace

ropewalk_kernel any_range() { return kernel_with<any_range_steps>("fault-any-range"); }

}  // namespace ropewalk::fault
