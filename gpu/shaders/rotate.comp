#version 450
#extension GL_GOOGLE_include_directive : enable
// Rotates the pairs in two groups of channels by the token's row, or copies one group that passes through, in
// a block of heads of one token. Heads and rotated halves consist of whole groups.
//
// dispatch  one invocation per token, block of heads and part (rotate_call.glsl)
#include "gpu/shaders/rotate_call.glsl"
#include "gpu/shaders/rotate_groups.glsl"

layout(std430, binding = 2) readonly buffer Rows { HALF_BITS rows[]; };  // [tokens][2][2 pair_groups]

halves row_at(uvec2 halves_at) {
  return in_order(uintBitsToFloat(rows[halves_at.x]), uintBitsToFloat(rows[halves_at.y]));
}

void main() {
  head_block at = block_of(call.work);
  if (at.token >= call.work.tokens) return;
  uint step = call.work.head_groups;
  if (has_rest && at.part >= call.pair_groups) {
    uint part = call.pair_groups + at.part;
    for (uint head = at.begin; head < at.end; head += step) to[head + part] = from[head + part];
    return;
  }
  uvec2 cosines = 4u * at.token * call.pair_groups + interleaved_groups(at.part, call.pair_groups);
  halves c = row_at(cosines), s = row_at(cosines + 2u * call.pair_groups);
  for (uint head = at.begin; head < at.end; head += step) turn(head, at.part, call.pair_groups, c, s);
}
