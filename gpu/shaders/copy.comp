#version 450
#extension GL_GOOGLE_include_directive : enable
// The loads and stores of rotate.comp with nothing between: the yardstick of its speed.
#include "gpu/shaders/format.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Call {
  uint tokens;
  uint heads;
  uint head_fours;
  uint pair_fours;
} call;
layout(std430, binding = 0) readonly buffer In { FOUR from[]; };
layout(std430, binding = 1) writeonly buffer Out { FOUR to[]; };

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint work = call.head_fours - call.pair_fours;
  uint token = i / work, part = i - token * work;
  if (token >= call.tokens) return;
  uint head = token * call.heads * call.head_fours + part;
  if (part >= call.pair_fours) head += call.pair_fours;
  for (uint h = 0u; h < call.heads; ++h, head += call.head_fours) {
    to[head] = from[head];
    if (part < call.pair_fours) to[head + call.pair_fours] = from[head + call.pair_fours];
  }
}
