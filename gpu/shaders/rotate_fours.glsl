// Turns four pairs of one head.
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool interleaved_in = false;
layout(constant_id = 1) const bool interleaved_out = false;
layout(constant_id = 2) const bool backward = false;
layout(std430, binding = 0) readonly buffer In { FOUR from[]; };
layout(std430, binding = 1) writeonly buffer Out { FOUR to[]; };

// `head` is the index of the head's first group of four channels; `part`, below pair_fours, is the group of
// four pairs.
void turn(uint head, uint part, uint pair_fours, vec4 c, vec4 sine) {
  vec4 s = uintBitsToFloat(floatBitsToUint(sine) ^ (backward ? 0x80000000u : 0u));
  vec4 a, b, x0, x1;
  if (interleaved_in) {
    a = widened(unpacked(from[head + 2u * part]));
    b = widened(unpacked(from[head + 2u * part + 1u]));
    x0 = vec4(a.xz, b.xz);
    x1 = vec4(a.yw, b.yw);
  } else {
    x0 = widened(unpacked(from[head + part]));
    x1 = widened(unpacked(from[head + pair_fours + part]));
  }
  precise vec4 y0 = x0 * c - x1 * s;
  precise vec4 y1 = x0 * s + x1 * c;
  if (interleaved_out) {
    to[head + 2u * part] = packed(narrowed(vec4(y0.x, y1.x, y0.y, y1.y)));
    to[head + 2u * part + 1u] = packed(narrowed(vec4(y0.z, y1.z, y0.w, y1.w)));
  } else {
    to[head + part] = packed(narrowed(y0));
    to[head + pair_fours + part] = packed(narrowed(y1));
  }
}
