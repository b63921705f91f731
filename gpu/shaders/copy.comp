#version 450
#extension GL_GOOGLE_include_directive : enable
// The loads and stores of rotate.comp without its rows and its arithmetic, as a baseline for its speed.
//
// dispatch  as rotate.comp
#include "gpu/shaders/rotate_call.glsl"

layout(std430, binding = 0) readonly buffer In { uvec4 from[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 to[]; };

void main() {
  head_block at = block_of(call.work);
  if (at.token >= call.work.tokens) return;
  bool rotates = !has_rest || at.part < call.pair_groups;
  uint first = rotates ? at.part : call.pair_groups + at.part, other = first + call.pair_groups;
  for (uint head = at.begin; head < at.end; head += call.work.head_groups) {
    to[head + first] = from[head + first];
    if (rotates) to[head + other] = from[head + other];
  }
}
