#version 450
#extension GL_GOOGLE_include_directive : enable
// Rotation as inference engines' shaders compute it: the builtin pow, cos and sin for every element of every
// head. For comparison; not canonical, and different on every device.
//
// dispatch  one invocation per token, head and part: the pairs in two groups, or one group that passes
//           through
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/rotate_groups.glsl"

layout(push_constant) uniform Call { recipe_call call; };
layout(std430, binding = 2) readonly buffer Positions { int positions[]; };  // [tokens]
layout(std430, binding = 3) readonly buffer Divisors { HALF divisors[]; };   // [2 pair_groups], of the angles

// The angles of half a group of pairs at a position.
HALF angles(int position, uint at) {
#if FORMAT == 32 || GROUP_WORDS == 2
  HALF pair = 2.0 * float(at) + HALF(0.0, 1.0);
#else
  HALF pair = 4.0 * float(at) + HALF(0.0, 1.0, 2.0, 3.0);
#endif
  return float(position) * pow(HALF(call.theta_scale), pair) / divisors[at];
}

void main() {
  uint i = invocation();
  uint work = call.head_groups - call.pair_groups;
  uint head = i / work, part = i - head * work, first = head * call.head_groups;
  if (head >= call.tokens * call.heads) return;
  if (part >= call.pair_groups) {
    to[first + call.pair_groups + part] = from[first + call.pair_groups + part];
    return;
  }
  int position = positions[head / call.heads];
  uvec2 at = interleaved_groups(part, call.pair_groups);
  halves angle = in_order(angles(position, at.x), angles(position, at.y));
  turn(first, part, call.pair_groups, halves(cos(angle.even) * call.factor, cos(angle.odd) * call.factor),
       halves(sin(angle.even) * call.factor, sin(angle.odd) * call.factor));
}
