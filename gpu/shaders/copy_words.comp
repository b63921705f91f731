#version 450
#extension GL_GOOGLE_include_directive : enable
// Contiguous copy: an upper bound of a shader's copy speed.
//
// dispatch  one invocation per 16 bytes
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/invocation.glsl"

layout(push_constant) uniform Call { copy_words_call call; };
layout(std430, binding = 0) readonly buffer In { uvec4 from[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 to[]; };

void main() {
  uint i = invocation();
  if (i < call.fours) to[i] = from[i];
}
