#version 450
#extension GL_GOOGLE_include_directive : enable
// Adds a head's biases to one group of keys, for a block of queries at consecutive positions. A query's
// biases are those of the previous query, moved by one key, so that each query reads a single new one. Heads
// consist of whole groups of keys.
//
// dispatch  one invocation per block of queries, head and group of keys
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/divide.glsl"
#include "gpu/shaders/format.glsl"
#include "gpu/shaders/invocation.glsl"

// Whether the biases of each block's first query begin at a multiple of 4 words.
layout(constant_id = 0) const bool is_aligned = false;
layout(constant_id = 1) const bool has_queries = true;  // whether there is more than one query
layout(push_constant) uniform Call { add_bias_call call; };
layout(std430, binding = 0) readonly buffer In { GROUP from[]; };
layout(std430, binding = 1) writeonly buffer Out { GROUP to[]; };
layout(std430, binding = 2) readonly buffer Entries { float entries[]; };
layout(std430, binding = 2) readonly buffer EntryHalves { HALF entry_halves[]; };

#if FORMAT == 32

const uint keys_of_half = 2u;
HALF biases_of_half(uint entry) { return HALF(entries[entry], entries[entry + 1u]); }
// The biases of the next query, of which `first` is new.
halves moved(halves bias, float first) { return halves(HALF(first, bias.odd.x), bias.even); }

#else

const uint keys_of_half = 4u;
HALF biases_of_half(uint entry) {
  return HALF(entries[entry], entries[entry + 1u], entries[entry + 2u], entries[entry + 3u]);
}
halves moved(halves bias, float first) { return halves(HALF(first, bias.odd.xyz), bias.even); }

#endif

halves biases_from(uint entry) {
  uint i = entry / keys_of_half;
  return is_aligned ? alternating(entry_halves[i], entry_halves[i + 1u])
                    : alternating(biases_of_half(entry), biases_of_half(entry + keys_of_half));
}

void main() {
  uint i = invocation(), i_of_head = quotient(i, call.parts), block = quotient(i_of_head, call.heads);
  uint part = i - i_of_head * call.parts.value, head = i_of_head - block * call.heads.value;
  uint query = block * call.queries_at_once;
  if (query >= call.queries) return;
  uint entry = call.entry - query + head * call.head_step + 2u * keys_of_half * part;
  halves bias = biases_from(entry);
  uint step = call.heads.value * call.parts.value;
  uint at = call.begin + query * step + head * call.parts.value + part;
  uint end = at + min(call.queries_at_once, call.queries - query) * step;
  for (;;) {
    halves x = widened(from[at]);
    precise HALF even = x.even + bias.even, odd = x.odd + bias.odd;
    to[at] = narrowed(halves(even, odd));
    at += step;
    if (!has_queries || at >= end) break;
    bias = moved(bias, entries[--entry]);
  }
}
