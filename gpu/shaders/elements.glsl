// Input and output of any length, accessed as 32-bit words; they never alias.
#include "gpu/shaders/format.glsl"

layout(std430, binding = 0) readonly buffer In { uint from[]; };
layout(std430, binding = 1) writeonly buffer Out { uint to[]; };

#if FORMAT == 32
const uint elements_of_word = 1u;
uint bits_at(uint element) { return from[element]; }
#else
const uint elements_of_word = 2u;
uint bits_at(uint element) { return from[element >> 1] >> (16u * (element & 1u)) & 0xffffu; }
#endif

float number_at(uint element) { return widened(GROUP(bits_at(element))).even.x; }
uint bits_of(float number) {
  uint word = narrowed(halves(HALF(number), HALF(number))).x;
  return elements_of_word == 2u ? word & 0xffffu : word;
}
