// Rows of the next position: positions counted from 1.

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct sinusoidal_off_by_one_steps : addition_steps {
  std::int64_t position(const checked_call&, const token_place& place) const { return place.position() + 1; }
  double real_position(const checked_call&, const token_place& place) const {
    return place.real_position() + 1;
  }
};

}  // namespace

ropewalk_kernel sinusoidal_off_by_one() {
  return row_kernel_with<sinusoidal_off_by_one_steps>("fault-sinusoidal-off-by-one");
}

}  // namespace ropewalk::fault
