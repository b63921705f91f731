// Half-split for interleaved: the channels are paired as GPT-NeoX pairs them, whatever the encoding says.

#include "fault/canonical_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

struct half_split_steps : canonical_steps {
  rotated_layout layout(rotated_layout given) const {
    given.head.pairing_in = pairing::half_split;
    given.head.pairing_out = pairing::half_split;
    return given;
  }
};

}  // namespace

ropewalk_kernel half_split() { return kernel_with<half_split_steps>("fault-half-split"); }

}  // namespace ropewalk::fault
