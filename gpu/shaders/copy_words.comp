#version 450
// Sixteen bytes an invocation, side by side: the fastest that a shader copies.
layout(local_size_x = 64) in;
layout(push_constant) uniform Call { uint fours; } call;
layout(std430, binding = 0) readonly buffer In { uvec4 from[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 to[]; };

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i < call.fours) to[i] = from[i];
}
