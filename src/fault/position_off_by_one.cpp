// Position off by one: counted from 1.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct position_off_by_one_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(plan, place, unit, backward, 1);
  }
};

}  // namespace

ropewalk_kernel position_off_by_one() {
  return kernel_with<position_off_by_one_steps>("fault-position-off-by-one");
}

}  // namespace ropewalk::fault
