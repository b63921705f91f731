#version 450
#extension GL_GOOGLE_include_directive : enable
// Adds a token's row of entries to one group of channels in a block of heads; groups without entries are
// copied. Heads and rows consist of whole groups of channels.
//
// dispatch  one invocation per token, block of heads and group of channels
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/head_block.glsl"

layout(constant_id = 0) const bool has_rest = true;   // whether heads have groups without entries
layout(constant_id = 1) const bool has_heads = true;  // whether tokens have more than one head
layout(push_constant) uniform Call { add_call call; };
layout(std430, binding = 0) readonly buffer In { GROUP from[]; };
layout(std430, binding = 1) writeonly buffer Out { GROUP to[]; };
layout(std430, binding = 2) readonly buffer Rows { HALF rows[]; };  // [tokens][row_halves]

void main() {
  head_block at = block_of(call.work);
  if (at.token >= call.work.tokens) return;
  uint step = call.work.head_groups, i = at.begin + at.part, end = at.end + at.part;
  if (has_rest && at.part >= call.added_groups) {
    for (; i < end; i += step) to[i] = from[i];
    return;
  }
  uint row = at.token * call.row_halves + 2u * at.part;
  halves added = alternating(rows[row], rows[row + 1u]);
  for (;;) {
    halves x = widened(from[i]);
    precise HALF even = x.even + added.even, odd = x.odd + added.odd;
    to[i] = narrowed(halves(even, odd));
    i += step;
    if (!has_heads || i >= end) break;
  }
}
