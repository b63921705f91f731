#version 450
#extension GL_GOOGLE_include_directive : enable
// Adds a head's biases to one group of keys, for a block of queries at consecutive positions. A query's
// biases are those of the query before, moved by one key, so that each query reads a single new one. Heads
// consist of whole groups of keys.
//
// dispatch  one invocation per block of queries, head and group of keys
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/divide.glsl"
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/invocation.glsl"

layout(push_constant) uniform Call { add_bias_call call; };
layout(std430, binding = 0) readonly buffer In { GROUP from[]; };
layout(std430, binding = 1) writeonly buffer Out { GROUP to[]; };
layout(std430, binding = 2) readonly buffer Entries { float entries[]; };

#if FORMAT == 32

const uint keys_of_group = 4u;

// The biases of a group whose first bias has index `entry`, without the last key's.
halves biases_from(uint entry) {
  return halves(HALF(entries[entry], entries[entry + 2u]), HALF(entries[entry + 1u], 0.0));
}

// The biases of the next query, of which `first` is new.
halves moved(halves bias, float first) { return halves(HALF(first, bias.odd.x), bias.even); }

#else

const uint keys_of_group = 8u;

halves biases_from(uint entry) {
  return halves(HALF(entries[entry], entries[entry + 2u], entries[entry + 4u], entries[entry + 6u]),
                HALF(entries[entry + 1u], entries[entry + 3u], entries[entry + 5u], 0.0));
}
halves moved(halves bias, float first) { return halves(HALF(first, bias.odd.xyz), bias.even); }

#endif

void main() {
  uint i = invocation(), i_of_head = quotient(i, call.parts), block = quotient(i_of_head, call.heads);
  uint part = i - i_of_head * call.parts.value, head = i_of_head - block * call.heads.value;
  uint query = block * call.queries_at_once;
  if (query >= call.queries) return;
  uint entry = call.entry - query + head * call.head_step + keys_of_group * part;
  halves bias = biases_from(entry + 1u);
  uint step = call.heads.value * call.parts.value;
  uint begin = call.begin + query * step + head * call.parts.value + part;
  uint end = begin + min(call.queries_at_once, call.queries - query) * step;
  for (uint at = begin; at < end; at += step) {
    bias = moved(bias, entries[entry--]);
    halves x = widened(from[at]);
    precise HALF even = x.even + bias.even, odd = x.odd + bias.odd;
    to[at] = narrowed(halves(even, odd));
  }
}
