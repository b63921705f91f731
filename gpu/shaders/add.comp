#version 450
#extension GL_GOOGLE_include_directive : enable
// Adds entries to four channels in a block of heads of one token; channels without entries are copied. Heads
// and entries consist of whole groups of four channels.
//
// dispatch  one invocation per token, block of heads and group of four channels
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/head_block.glsl"
#include "gpu/shaders/invocation.glsl"

// Whether each head has its own entries. Otherwise all heads share entries, which start at a multiple of 4
// words.
layout(constant_id = 0) const bool by_head = false;
layout(push_constant) uniform Call { add_call call; };
layout(std430, binding = 0) readonly buffer In { FOUR from[]; };
layout(std430, binding = 1) writeonly buffer Out { FOUR to[]; };
layout(std430, binding = 2) readonly buffer Entries { uint entries[]; };  // binary32
layout(std430, binding = 2) readonly buffer EntryFours { vec4 entry_fours[]; };
layout(std430, binding = 3) readonly buffer Starts { uint starts[]; };    // [tokens], first head's entries

vec4 entries_at(uint i) {
  return uintBitsToFloat(uvec4(entries[i], entries[i + 1u], entries[i + 2u], entries[i + 3u]));
}

void main() {
  head_block at = block_of(call.head_fours, call.tokens, call.heads, call.head_fours, call.heads_at_once);
  if (at.token == call.tokens) return;
  uint begin = at.begin + at.part, end = at.end + at.part;
  if (at.part >= call.added_fours) {
    for (uint i = begin; i < end; i += call.head_fours) to[i] = from[i];
    return;
  }
  uint entry = starts[at.token] + 4u * at.part;
  vec4 added = by_head ? vec4(0.0) : entry_fours[entry / 4u];
  if (by_head) entry += at.first * call.head_step;
  for (uint i = begin; i < end; i += call.head_fours) {
    if (by_head) added = entries_at(entry);
    precise vec4 sum = widened(unpacked(from[i])) + added;
    to[i] = packed(narrowed(sum));
    entry += call.head_step;
  }
}
