#version 450
#extension GL_GOOGLE_include_directive : enable
// Four pairs of every head of a token, turned by the token's row; then what does not rotate, four channels at once.
// Heads and rotated halves begin at multiples of four channels.
#include "gpu/shaders/rotate_fours.glsl"

layout(push_constant) uniform Call {
  uint tokens;
  uint heads;
  uint head_fours;  // of a head
  uint pair_fours;  // of half of what rotates
} call;
layout(std430, binding = 2) readonly buffer Rows { uvec4 rows[]; };  // [tokens][2][pair_fours]

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint work = call.head_fours - call.pair_fours;  // of a token: fours of pairs, and fours that are copied
  uint token = i / work, part = i - token * work;
  if (token >= call.tokens) return;
  uint head = token * call.heads * call.head_fours;
  if (part >= call.pair_fours) {
    head += call.pair_fours + part;
    for (uint h = 0u; h < call.heads; ++h, head += call.head_fours) to[head] = from[head];
    return;
  }
  uint row = 2u * token * call.pair_fours + part;
  vec4 c = uintBitsToFloat(rows[row]);
  vec4 s = uintBitsToFloat(rows[row + call.pair_fours]);
  for (uint h = 0u; h < call.heads; ++h, head += call.head_fours) turn(head, part, call.pair_fours, c, s);
}
