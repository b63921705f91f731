// Input and output of any length, accessed as 32-bit words; they never alias.

layout(std430, binding = 0) readonly buffer In { uint from[]; };
layout(std430, binding = 1) writeonly buffer Out { uint to[]; };

#if FORMAT == 32
const uint elements_of_word = 1u;
uint bits_at(uint element) { return from[element]; }
#else
const uint elements_of_word = 2u;
uint bits_at(uint element) { return from[element >> 1] >> (16u * (element & 1u)) & 0xffffu; }
#endif
