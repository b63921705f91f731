// Rows of cosines and sines at the wrong angle or position.

#include <cstdint>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/rounded_angle.hpp"

namespace ropewalk::fault {
namespace {

// Angle in binary32: position times inverse frequency is computed in single precision; the error grows with
// the position.
struct angle_f32_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    fill_by_angle(row, plan, place, unit, backward, [](double position, double inv_freq) -> double {
      return static_cast<float>(position) * static_cast<float>(inv_freq);
    });
  }
};

// Backward flag ignored: gradients are rotated in the direction of the values.
struct backward_is_forward_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool) const {
    row.fill(plan, place, unit, false);
  }
};

// Position off by one: counted from 1.
struct position_off_by_one_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(plan, place, unit, backward, 1);
  }
};

// The next position, if positions are real; whole positions are correct.
struct real_positions_off_by_one_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(plan, place, unit, backward, place.is_real() ? 1 : 0);
  }
};

// Cached rows one row off: wrong only for positions that the plan was asked to tabulate.
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

ropewalk_kernel angle_f32() { return kernel_with<angle_f32_steps>("fault-angle-f32"); }

ropewalk_kernel backward_is_forward() {
  return kernel_with<backward_is_forward_steps>("fault-backward-is-forward");
}

ropewalk_kernel position_off_by_one() {
  return kernel_with<position_off_by_one_steps>("fault-position-off-by-one");
}

ropewalk_kernel real_positions_off_by_one() {
  ropewalk_kernel positions = kernel_with<real_positions_off_by_one_steps>("fault-real-positions-off-by-one");
  positions.limits = &any_pairing_and_position;
  return positions;
}

ropewalk_kernel kept_row() { return kernel_with<kept_row_steps>("fault-kept-row"); }

}  // namespace ropewalk::fault
