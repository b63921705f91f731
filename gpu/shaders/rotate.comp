#version 450
#extension GL_GOOGLE_include_directive : enable
// Turns four pairs in a block of heads of one token by the token's row, or copies four pass-through channels.
// Heads and rotated halves begin at multiples of four channels.
//
// dispatch  one invocation per token, block of heads and part (rotate_call.glsl)
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
  for (uint head = at.begin; head < at.end; head += call.head_fours)
    turn(head, at.part, call.pair_fours, c, s);
}
