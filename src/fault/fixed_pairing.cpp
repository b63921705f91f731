// One pairing for both: channels are paired as GPT-NeoX pairs them, or as GPT-J does, whatever the encoding
// says.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

template <pairing Fixed>
struct fixed_pairing_steps : canonical_steps {
  rotated_layout layout(rotated_layout given) const {
    given.head.pairing_in = Fixed;
    given.head.pairing_out = Fixed;
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

}  // namespace ropewalk::fault
