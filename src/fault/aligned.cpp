// Address of the query's input rounded down to a multiple of the element size.

#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct aligned_steps : canonical_steps {
  void misread(checked_call& call) const {
    const auto size = static_cast<std::uintptr_t>(size_of(call.dtype));
    call.query.in.data -= reinterpret_cast<std::uintptr_t>(call.query.in.data) % size;
  }
};

}  // namespace

ropewalk_kernel aligned() { return kernel_with<aligned_steps>("fault-aligned"); }

}  // namespace ropewalk::fault
