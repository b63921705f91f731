#version 450
#extension GL_GOOGLE_include_directive : enable
// Rows of cosines and sines, one entry an invocation; those that are not decided are listed for repair.comp.
#include "gpu/shaders/rows.glsl"

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint token = i / call.pairs, pair = i - token * call.pairs;
  if (token >= call.tokens) return;
  cos_sin entry = fast_cos_sin(position_of(token, pair), turns[pair], factor());
  store(token, pair, entry);
  if (entry.flagged) flags.list[atomicAdd(flags.flagged, 1u)] = i;
}
