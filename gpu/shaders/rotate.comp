#version 450
#extension GL_GOOGLE_include_directive : enable
// Four pairs of every head of a token, turned by the token's row; then what does not rotate, four channels at once.
// Heads and rotated halves begin at multiples of four channels.
#include "gpu/shaders/format.glsl"

layout(local_size_x = 64) in;
layout(constant_id = 0) const bool interleaved_in = false;
layout(constant_id = 1) const bool interleaved_out = false;
layout(constant_id = 2) const bool backward = false;
layout(push_constant) uniform Call {
  uint tokens;
  uint heads;
  uint head_fours;  // of a head
  uint pair_fours;  // of half of what rotates
} call;
layout(std430, binding = 0) readonly buffer In { FOUR from[]; };
layout(std430, binding = 1) writeonly buffer Out { FOUR to[]; };
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
  vec4 s = uintBitsToFloat(rows[row + call.pair_fours] ^ (backward ? 0x80000000u : 0u));
  for (uint h = 0u; h < call.heads; ++h, head += call.head_fours) {
    vec4 a, b, x0, x1;
    if (interleaved_in) {
      a = widened(unpacked(from[head + 2u * part]));
      b = widened(unpacked(from[head + 2u * part + 1u]));
      x0 = vec4(a.xz, b.xz);
      x1 = vec4(a.yw, b.yw);
    } else {
      x0 = widened(unpacked(from[head + part]));
      x1 = widened(unpacked(from[head + call.pair_fours + part]));
    }
    precise vec4 y0 = x0 * c - x1 * s;
    precise vec4 y1 = x0 * s + x1 * c;
    if (interleaved_out) {
      to[head + 2u * part] = packed(narrowed(vec4(y0.x, y1.x, y0.y, y1.y)));
      to[head + 2u * part + 1u] = packed(narrowed(vec4(y0.z, y1.z, y0.w, y1.w)));
    } else {
      to[head + part] = packed(narrowed(y0));
      to[head + call.pair_fours + part] = packed(narrowed(y1));
    }
  }
}
