// The next position where positions are real; whole positions are right.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct real_positions_off_by_one_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(plan, place, unit, backward, place.is_real() ? 1 : 0);
  }
};

}  // namespace

ropewalk_kernel real_positions_off_by_one() {
  ropewalk_kernel r = kernel_with<real_positions_off_by_one_steps>("fault-real-positions-off-by-one");
  r.limits = &any_pairing_and_position;
  return r;
}

}  // namespace ropewalk::fault
