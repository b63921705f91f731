#version 450
#extension GL_GOOGLE_include_directive : enable
// Entries added to four channels of every head of a token; channels beyond the entries are copied. Heads and entries come in
// whole fours.
#include "gpu/shaders/format.glsl"

layout(local_size_x = 64) in;
// Each head has entries of its own; else all share theirs, which begin at whole fours of words.
layout(constant_id = 0) const bool by_head = false;
layout(push_constant) uniform Call {
  uint tokens;
  uint heads;
  uint head_fours;   // of a head
  uint added_fours;  // of them, those that are added to
  uint head_step;    // from a head's entries to the next head's
} call;
layout(std430, binding = 0) readonly buffer In { FOUR from[]; };
layout(std430, binding = 1) writeonly buffer Out { FOUR to[]; };
layout(std430, binding = 2) readonly buffer Entries { uint entries[]; };  // binary32
layout(std430, binding = 2) readonly buffer EntryFours { vec4 entry_fours[]; };
layout(std430, binding = 3) readonly buffer Starts { uint starts[]; };    // [tokens], of the first head's entries

vec4 entries_at(uint i) {
  return uintBitsToFloat(uvec4(entries[i], entries[i + 1u], entries[i + 2u], entries[i + 3u]));
}

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  uint token = i / call.head_fours, part = i - token * call.head_fours;
  if (token >= call.tokens) return;
  uint head = token * call.heads * call.head_fours + part;
  if (part >= call.added_fours) {
    for (uint h = 0u; h < call.heads; ++h, head += call.head_fours) to[head] = from[head];
    return;
  }
  uint entry = starts[token] + 4u * part;
  vec4 added = by_head ? vec4(0.0) : entry_fours[entry / 4u];
  for (uint h = 0u; h < call.heads; ++h, head += call.head_fours) {
    if (by_head) added = entries_at(entry + h * call.head_step);
    precise vec4 sum = widened(unpacked(from[head])) + added;
    to[head] = packed(narrowed(sum));
  }
}
