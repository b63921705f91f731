#version 450
#extension GL_GOOGLE_include_directive : enable
// Computes rows of cosines and sines; lists undecided entries for repair.comp. POSITION_BITS is 32, for whole
// positions, or 64, for positions in binary64.
//
// dispatch  one invocation per entry, a cosine and a sine
#include "gpu/shaders/rows.glsl"

void main() {
  uint i = invocation();
  uint token = i / call.pairs, pair = i - token * call.pairs;
  if (token >= call.tokens) return;
  cos_sin entry = fast_entry_of(token, pair);
  store(token, pair, entry);
  if (entry.flagged) flags.list[atomicAdd(flags.flagged, 1u)] = i;
}
