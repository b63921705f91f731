// A range of tokens that ends before it begins is accepted by a kernel that adds, and nothing is done.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_any_range_steps : addition_steps {
  template <class Call>
  bool accepts(const Call& call) const {
    return call.tokens.begin > call.tokens.end;
  }
};

}  // namespace

ropewalk_kernel sinusoidal_any_range() {
  return row_kernel_with<sinusoidal_any_range_steps>("fault-sinusoidal-any-range");
}

}  // namespace ropewalk::fault
