// Elements in memory, widened exactly to binary32 and rounded back once, to nearest even. FORMAT is 32
// (binary32), 16 (binary16) or 1016 (bfloat16). A NaN stays a NaN, with an unspecified payload. Where float
// additions stand in for shifts, they are exact or round as binary32 does.

#if FORMAT == 32

vec4 widened(uvec4 bits) { return uintBitsToFloat(bits); }
uvec4 narrowed(vec4 v) { return floatBitsToUint(v); }

#elif FORMAT == 1016

vec4 widened(uvec4 bits) { return uintBitsToFloat(bits << 16); }
uvec4 narrowed(vec4 v) {
  uvec4 bits = floatBitsToUint(v), rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return mix(rounded, uvec4(0x7fc0u), greaterThan(bits & 0x7fffffffu, uvec4(0x7f800000u)));
}

#else

const uint smallest_normal = 113u << 23;  // 2^-14 as binary32

vec4 widened(uvec4 bits) {
  uvec4 magnitude = (bits & 0x7fffu) << 13, normal = magnitude + (112u << 23);
  // A subnormal becomes the fraction of a number 2^-14 (1 + ...); subtracting 2^-14 is exact.
  precise vec4 rest = uintBitsToFloat(magnitude + smallest_normal) - uintBitsToFloat(smallest_normal);
  uvec4 special = normal + (112u << 23);  // infinity and NaN keep the largest exponent
  uvec4 value = mix(normal, floatBitsToUint(rest), lessThan(magnitude, uvec4(1u << 23)));
  value = mix(value, special, greaterThanEqual(magnitude, uvec4(31u << 23)));
  return uintBitsToFloat(value | (bits & 0x8000u) << 16);
}

uvec4 narrowed(vec4 v) {
  uvec4 bits = floatBitsToUint(v), magnitude = bits & 0x7fffffffu, rebiased = magnitude - (112u << 23);
  uvec4 normal = (rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13;
  // Below 2^-14, the sum with 1/2 has ulp 2^-24, as binary16 subnormals have: the addition rounds correctly.
  precise vec4 sum = uintBitsToFloat(magnitude) + 0.5;
  uvec4 value = mix(normal, floatBitsToUint(sum) - floatBitsToUint(0.5),
                    lessThan(magnitude, uvec4(smallest_normal)));
  value = mix(value, uvec4(0x7c00u), greaterThan(magnitude, uvec4(0x477fefffu)));  // 65520 and above
  value = mix(value, uvec4(0x7e00u), greaterThan(magnitude, uvec4(0x7f800000u)));
  return value | (bits >> 16) & 0x8000u;
}

#endif

#if FORMAT == 32
#define FOUR uvec4
uvec4 unpacked(FOUR four) { return four; }
FOUR packed(uvec4 bits) { return bits; }
#else
#define FOUR uvec2
uvec4 unpacked(FOUR four) { return uvec4(four.x & 0xffffu, four.x >> 16, four.y & 0xffffu, four.y >> 16); }
FOUR packed(uvec4 bits) { return uvec2(bits.x | bits.y << 16, bits.z | bits.w << 16); }
#endif
