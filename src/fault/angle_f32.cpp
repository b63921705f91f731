// Angle in binary32: position times inverse frequency is formed in single precision; the error grows with the
// position.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/rounded_angle.hpp"

namespace ropewalk::fault {
namespace {

struct angle_f32_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    fill_by_angle(row, plan, place, unit, backward, [](double position, double inv_freq) -> double {
      return static_cast<float>(position) * static_cast<float>(inv_freq);
    });
  }
};

}  // namespace

ropewalk_kernel angle_f32() { return kernel_with<angle_f32_steps>("fault-angle-f32"); }

}  // namespace ropewalk::fault
