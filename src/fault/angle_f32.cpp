// Angle in binary32: position times inverse frequency is formed in single precision; the error grows with the
// position.

#include <cmath>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct angle_f32_steps : canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    const double factor = unit ? 1 : plan.attention_factor;
    for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
      const auto index = static_cast<std::size_t>(pair);
      const auto position = static_cast<float>(place.position(plan.axis[index]));
      const double angle = position * static_cast<float>(plan.inv_freq[index]);
      const double sine = backward ? -std::sin(angle) : std::sin(angle);
      row.set(pair, {to_bits<Table>(static_cast<Table>(factor * std::cos(angle))),
                     to_bits<Table>(static_cast<Table>(factor * sine))});
    }
  }
};

}  // namespace

ropewalk_kernel angle_f32() { return kernel_with<angle_f32_steps>("fault-angle-f32"); }

}  // namespace ropewalk::fault
