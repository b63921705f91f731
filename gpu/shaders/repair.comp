#version 450
#extension GL_GOOGLE_include_directive : enable
// The entries that rows.comp listed, to 128 bits.
#include "gpu/shaders/rows.glsl"

void main() {
  for (uint k = gl_GlobalInvocationID.x; k < flags.flagged; k += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    uint token = flags.list[k] / call.pairs, pair = flags.list[k] - token * call.pairs;
    cos_sin entry = slow_cos_sin(position_of(token, pair), turns[pair], factor());
    store(token, pair, entry);
    if (entry.flagged) atomicAdd(flags.undecided, 1u);
  }
}
