#version 450
#extension GL_GOOGLE_include_directive : enable
// Probes the device's binary32 arithmetic: the product, sum and difference of each pair of numbers, never
// contracted.
//
// dispatch  one invocation per pair of numbers
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/invocation.glsl"

layout(push_constant) uniform Call { probe_call call; };
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer Results { uint result[]; };

void main() {
  uint i = invocation();
  if (i >= call.count) return;
  precise float product = a[i] * b[i];
  precise float sum = a[i] + b[i];
  precise float difference = a[i] - b[i];
  result[3u * i] = floatBitsToUint(product);
  result[3u * i + 1u] = floatBitsToUint(sum);
  result[3u * i + 2u] = floatBitsToUint(difference);
}
