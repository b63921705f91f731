#pragma once
// Rows of angles that are not computed exactly.

#include <cmath>
#include <cstddef>

#include "fault/canonical_steps.hpp"

namespace ropewalk::fault {

/// Fills a row with cosines and sines of angles in binary64, times the attention factor in binary64.
/// angle_of(position, inv_freq) is in radians.
template <floating_format Table, class AngleOf>
void fill_by_angle(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
                   bool backward, AngleOf angle_of) {
  const double factor = unit ? 1 : plan.attention_factor;
  for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
    const auto index = static_cast<std::size_t>(pair);
    const int axis = plan.axis[index];
    const double position =
        place.is_real() ? place.real_position(axis) : static_cast<double>(place.position(axis));
    const double angle = angle_of(position, plan.inv_freq[index]);
    const double sine = backward ? -std::sin(angle) : std::sin(angle);
    row.set(pair, {to_bits<Table>(static_cast<Table>(factor * std::cos(angle))),
                   to_bits<Table>(static_cast<Table>(factor * sine))});
  }
}

}  // namespace ropewalk::fault
