#version 450
#extension GL_GOOGLE_include_directive : enable
// Rotates heads of any size. Input and output do not overlap.
//
// dispatch  one invocation per word of the output, so that no two write to the same word
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/divide.glsl"
#include "gpu/shaders/elements.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool interleaved_in = false;
layout(constant_id = 1) const bool interleaved_out = false;
layout(constant_id = 2) const bool backward = false;
layout(push_constant) uniform Call { rotate_any_call call; };
layout(std430, binding = 2) readonly buffer Rows { uint rows[]; };  // [tokens][2][row_words / 2]

uint channel_of(bool interleaved, uint pair, bool second) {
  return interleaved ? 2u * pair + (second ? 1u : 0u) : pair + (second ? call.pairs : 0u);
}

uint result(uint element) {
  uint head = quotient(element, call.head_dim), channel = element - head * call.head_dim.value;
  if (channel >= 2u * call.pairs) return bits_at(element);
  uint pair = interleaved_out ? channel >> 1 : channel < call.pairs ? channel : channel - call.pairs;
  bool second = interleaved_out ? (channel & 1u) != 0u : channel >= call.pairs;
  uint row = quotient(head, call.heads) * call.row_words + pair, first = head * call.head_dim.value;
  float x0 = number_at(first + channel_of(interleaved_in, pair, false));
  float x1 = number_at(first + channel_of(interleaved_in, pair, true));
  float c = uintBitsToFloat(rows[row]);
  float s = uintBitsToFloat(rows[row + call.row_words / 2u] ^ (backward ? 0x80000000u : 0u));
  precise float y0 = x0 * c - x1 * s;
  precise float y1 = x0 * s + x1 * c;
  return bits_of(second ? y1 : y0);
}

void main() {
  uint i = invocation();
  uint element = elements_of_word * i;
  if (element >= call.elements) return;
  uint word = result(element);
  if (elements_of_word == 2u && element + 1u < call.elements) word |= result(element + 1u) << 16;
  to[i] = word;
}
