#version 450
#extension GL_GOOGLE_include_directive : enable
// Adds entries to heads of any size; channels without entries are copied. Input and output do not overlap.
//
// dispatch  one invocation per word of the output, so that no two write to the same word
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/divide.glsl"
#include "gpu/shaders/elements.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool by_head = false;  // whether each head has its own entries
layout(push_constant) uniform Call { add_any_call call; };
layout(std430, binding = 2) readonly buffer Entries { uint entries[]; };  // binary32
layout(std430, binding = 3) readonly buffer Starts { uint starts[]; };    // [tokens], first head's entries

uint result(uint element) {
  uint head = quotient(element, call.head_dim), channel = element - head * call.head_dim.value;
  if (channel >= call.added) return bits_at(element);
  uint token = quotient(head, call.heads), h = head - token * call.heads.value;
  uint entry = starts[token] + channel + (by_head ? h * call.head_step : 0u);
  precise float sum = number_at(element) + uintBitsToFloat(entries[entry]);
  return bits_of(sum);
}

void main() {
  uint i = invocation();
  uint element = elements_of_word * i;
  if (element >= call.elements) return;
  uint word = result(element);
  if (elements_of_word == 2u && element + 1u < call.elements) word |= result(element + 1u) << 16;
  to[i] = word;
}
