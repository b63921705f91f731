// Table of kept positions one row off: wrong only for positions that the plan was asked to tabulate.

#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct kept_row_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    const double position = place.is_real() ? place.real_position(0) : static_cast<double>(place.position(0));
    const bool is_kept =
        position >= static_cast<double>(plan.often.begin) && position < static_cast<double>(plan.often.end);
    row.fill(plan, place, unit, backward, is_kept ? 1 : 0);
  }
};

}  // namespace

ropewalk_kernel kept_row() { return kernel_with<kept_row_steps>("fault-kept-row"); }

}  // namespace ropewalk::fault
