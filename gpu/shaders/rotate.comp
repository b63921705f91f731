#version 450
#extension GL_GOOGLE_include_directive : enable
// Four pairs of some heads of a token, turned by the token's row; then what does not rotate, four channels at once.
// Heads and rotated halves begin at multiples of four channels.
#include "gpu/shaders/rotate_call.glsl"
#include "gpu/shaders/rotate_fours.glsl"

layout(std430, binding = 2) readonly buffer Rows { uvec4 rows[]; };  // [tokens][2][pair_fours]

void main() {
  head_block at = block_of_call();
  if (at.token == call.tokens) return;
  if (at.part >= call.pair_fours) {
    uint part = call.pair_fours + at.part;
    for (uint head = at.begin; head < at.end; head += call.head_fours) to[head + part] = from[head + part];
    return;
  }
  uint row = 2u * at.token * call.pair_fours + at.part;
  vec4 c = uintBitsToFloat(rows[row]);
  vec4 s = uintBitsToFloat(rows[row + call.pair_fours]);
  for (uint head = at.begin; head < at.end; head += call.head_fours) turn(head, at.part, call.pair_fours, c, s);
}
