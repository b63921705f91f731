// Strides of the query's input used for the key's input.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct key_strides_steps : canonical_steps {
  void misread(checked_call& call) const {
    if (!call.key.is_present) return;
    call.key.in.stride = call.query.in.stride;
  }
};

}  // namespace

ropewalk_kernel key_strides() { return kernel_with<key_strides_steps>("fault-key-strides"); }

}  // namespace ropewalk::fault
