#version 450
#extension GL_GOOGLE_include_directive : enable
// Rotation as inference engines' shaders compute it: the builtin pow, cos and sin for every element of every
// head. For comparison; not canonical, and different on every device.
//
// dispatch  one invocation per token, head and group of four pairs or four pass-through channels
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/rotate_fours.glsl"

layout(push_constant) uniform Call { recipe_call call; };
layout(std430, binding = 2) readonly buffer Positions { int positions[]; };  // [tokens]
layout(std430, binding = 3) readonly buffer Divisors { vec4 divisors[]; };   // [pair_fours], of the angles

void main() {
  uint i = invocation();
  uint work = call.head_fours - call.pair_fours;
  uint head = i / work, part = i - head * work, first = head * call.head_fours;
  if (head >= call.tokens * call.heads) return;
  if (part >= call.pair_fours) {
    to[first + call.pair_fours + part] = from[first + call.pair_fours + part];
    return;
  }
  vec4 pair = 4.0 * float(part) + vec4(0.0, 1.0, 2.0, 3.0);
  vec4 angle = float(positions[head / call.heads]) * pow(vec4(call.theta_scale), pair) / divisors[part];
  turn(first, part, call.pair_fours, cos(angle) * call.factor, sin(angle) * call.factor);
}
