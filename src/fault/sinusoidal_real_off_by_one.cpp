// Rows of the next position where positions are real; whole positions are right.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_real_off_by_one_steps : addition_steps {
  double real_position(const checked_call&, const token_place& place) const {
    return place.real_position() + 1;
  }
};

}  // namespace

ropewalk_kernel sinusoidal_real_off_by_one() {
  ropewalk_kernel r = row_kernel_with<sinusoidal_real_off_by_one_steps>("fault-sinusoidal-real-off-by-one");
  r.limits = &every_position_kind;
  return r;
}

}  // namespace ropewalk::fault
