// One pairing for both: channels are paired as GPT-NeoX pairs them, or as GPT-J does, where the encoding says
// the other; or halves are those of all channels, where each axis has its own.

#include <vector>

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::fault {
namespace {

/// Halves of an axis are no kind of interleaved: they stay where the fault is half-split.
template <pairing Fixed>
struct fixed_pairing_steps : canonical_steps {
  rotated_layout layout(rotated_layout given) const {
    for (pairing* const one : {&given.head.pairing_in, &given.head.pairing_out})
      if (Fixed != pairing::half_split || *one == pairing::interleaved) *one = Fixed;
    return given;
  }
};

struct halves_over_axes_steps : canonical_steps {
  rotated_layout layout(rotated_layout given) const {
    for (pairing* const one : {&given.head.pairing_in, &given.head.pairing_out})
      if (*one == pairing::half_split_by_axis) *one = pairing::half_split;
    return given;
  }
};

}  // namespace

ropewalk_kernel half_split() {
  return kernel_with<fixed_pairing_steps<pairing::half_split>>("fault-half-split");
}

ropewalk_kernel interleaved() {
  return kernel_with<fixed_pairing_steps<pairing::interleaved>>("fault-interleaved");
}

std::vector<known_fault> pairings_of_axes() {
  return {{kernel_with<halves_over_axes_steps>("fault-half-split-over-axes"),
           "channels are half-split over all that rotate, where each axis has halves of its own"}};
}

}  // namespace ropewalk::fault
