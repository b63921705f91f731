#version 450
#extension GL_GOOGLE_include_directive : enable
// Computes rows of cosines and sines; lists undecided entries for repair.comp.
//
// dispatch  one invocation per entry, a cosine and a sine
#include "gpu/shaders/rows.glsl"

void main() {
  uint i = invocation();
  uint token = i / call.pairs, pair = i - token * call.pairs;
  if (token >= call.tokens) return;
  int position = position_of(token, pair);
  cos_sin entry = fast_cos_sin(row_of(position), turns[pair], factor());
  if (is_zero_row(position)) entry = cos_sin(0u, 0u, false);
  store(token, pair, entry);
  if (entry.flagged) flags.list[atomicAdd(flags.flagged, 1u)] = i;
}
