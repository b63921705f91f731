// Rotates the pairs in two groups of channels of one head.
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool interleaved_in = false;
layout(constant_id = 1) const bool interleaved_out = false;
layout(constant_id = 2) const bool backward = false;
layout(std430, binding = 0) readonly buffer In { GROUP from[]; };
layout(std430, binding = 1) writeonly buffer Out { GROUP to[]; };

const bool stays_interleaved = interleaved_in && interleaved_out;

// The two groups of an interleaved head that a part below pair_groups rotates; also the places of their pairs
// in a row, in halves of a group. Neighbouring parts access neighbouring groups unless the pairing changes.
uvec2 interleaved_groups(uint part, uint pair_groups) {
  return stays_interleaved ? uvec2(part, part + pair_groups) : uvec2(2u * part, 2u * part + 1u);
}

// Values of the pairs in both groups, in the order of the channels in a group.
halves in_order(HALF first, HALF second) {
  return stays_interleaved ? halves(first, second) : alternating(first, second);
}

HALF turned_by(HALF sine) { return uintBitsToFloat(floatBitsToUint(sine) ^ (backward ? sign : 0u)); }

// `head` is the index of the head's first group.
void turn(uint head, uint part, uint pair_groups, halves c, halves sine) {
  uvec2 at = interleaved_groups(part, pair_groups);
  halves s = halves(turned_by(sine.even), turned_by(sine.odd)), x0, x1;
  if (interleaved_in) {
    halves a = widened(from[head + at.x]), b = widened(from[head + at.y]);
    x0 = in_order(a.even, b.even);
    x1 = in_order(a.odd, b.odd);
  } else {
    x0 = widened(from[head + part]);
    x1 = widened(from[head + pair_groups + part]);
  }
  precise HALF even0 = x0.even * c.even - x1.even * s.even, odd0 = x0.odd * c.odd - x1.odd * s.odd;
  precise HALF even1 = x0.even * s.even + x1.even * c.even, odd1 = x0.odd * s.odd + x1.odd * c.odd;
  halves y0 = halves(even0, odd0), y1 = halves(even1, odd1);
  if (!interleaved_out) {
    to[head + part] = narrowed(y0);
    to[head + pair_groups + part] = narrowed(y1);
  } else if (stays_interleaved) {
    to[head + at.x] = narrowed(halves(y0.even, y1.even));
    to[head + at.y] = narrowed(halves(y0.odd, y1.odd));
  } else {
    to[head + at.x] = narrowed(halves(first_half(y0), first_half(y1)));
    to[head + at.y] = narrowed(halves(second_half(y0), second_half(y1)));
  }
}
