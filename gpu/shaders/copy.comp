#version 450
#extension GL_GOOGLE_include_directive : enable
// The loads and stores of rotate.comp without its arithmetic, as a baseline for its speed.
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/rotate_call.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool interleaved = false;
layout(std430, binding = 0) readonly buffer In { FOUR from[]; };
layout(std430, binding = 1) writeonly buffer Out { FOUR to[]; };

void main() {
  head_block at = block_of_call();
  if (at.token == call.tokens) return;
  bool rotates = at.part < call.pair_fours;
  uint one = !rotates ? call.pair_fours + at.part : interleaved ? 2u * at.part : at.part;
  uint other = interleaved ? one + 1u : one + call.pair_fours;
  for (uint head = at.begin; head < at.end; head += call.head_fours) {
    to[head + one] = from[head + one];
    if (rotates) to[head + other] = from[head + other];
  }
}
