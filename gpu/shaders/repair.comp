#version 450
#extension GL_GOOGLE_include_directive : enable
// Recomputes the entries that rows.comp listed, with 128 bits; marks those that stay undecided.
//
// dispatch  any number of invocations, which share the list
#include "gpu/shaders/rows.glsl"

void main() {
  uint first = invocation();
  uint step = invocations();
  uint listed = flags.flagged;  // not in the loop's condition: a validation layer cannot instrument that
  for (uint k = first; k < listed; k += step) {
    uint token = flags.list[k] / call.pairs, pair = flags.list[k] - token * call.pairs;
    cos_sin entry = slow_entry_of(token, pair);
    store(token, pair, entry);
    if (entry.flagged) {
      flags.list[k] |= undecided_mark;
      atomicMax(flags.undecided, 1u);
    }
  }
}
