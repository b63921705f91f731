#version 450
#extension GL_GOOGLE_include_directive : enable
// The loads and stores of rotate.comp with nothing between: a yardstick of its speed.
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/head_block.glsl"

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { FOUR from[]; };
layout(std430, binding = 1) writeonly buffer Out { FOUR to[]; };

void main() {
  head_block at = block_of((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x +
                           gl_LocalInvocationID.x);
  if (at.token == call.tokens) return;
  bool rotates = at.part < call.pair_fours;
  uint part = rotates ? at.part : at.part + call.pair_fours;
  for (uint head = at.begin + part; head < at.end + part; head += call.head_fours) {
    to[head] = from[head];
    if (rotates) to[head + call.pair_fours] = from[head + call.pair_fours];
  }
}
