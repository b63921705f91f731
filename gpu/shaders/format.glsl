// Groups of channels in memory, widened exactly to binary32 and rounded back once, to nearest even. FORMAT is
// 32 (binary32), 16 (binary16) or 1016 (bfloat16). An invocation accesses one group at a time: 16 bytes, or 8
// if GROUP_WORDS is 2. A NaN stays a NaN, with an unspecified payload.

#ifndef GROUP_WORDS
#define GROUP_WORDS 4
#endif
#if GROUP_WORDS == 4
#define GROUP uvec4
#define SIGNED_GROUP ivec4
#else
#define GROUP uvec2
#define SIGNED_GROUP ivec2
#endif

// Half of a group's channels, as numbers and as their bits.
#if FORMAT == 32 || GROUP_WORDS == 2
#define HALF vec2
#define HALF_BITS uvec2
#else
#define HALF vec4
#define HALF_BITS uvec4
#endif

// The channels of a group: 0, 2, 4, ... and 1, 3, 5, ...
struct halves {
  HALF even;
  HALF odd;
};

#if FORMAT == 32 || GROUP_WORDS == 2
halves alternating(HALF first, HALF second) {
  return halves(HALF(first.x, second.x), HALF(first.y, second.y));
}
HALF first_half(halves parts) { return HALF(parts.even.x, parts.odd.x); }
HALF second_half(halves parts) { return HALF(parts.even.y, parts.odd.y); }
#else
halves alternating(HALF first, HALF second) {
  return halves(HALF(first.xz, second.xz), HALF(first.yw, second.yw));
}
HALF first_half(halves parts) { return HALF(parts.even.x, parts.odd.x, parts.even.y, parts.odd.y); }
HALF second_half(halves parts) { return HALF(parts.even.z, parts.odd.z, parts.even.w, parts.odd.w); }
#endif

const uint sign = 0x80000000u, infinity = 0x7f800000u;

#if FORMAT == 32

halves widened(GROUP group) { return alternating(uintBitsToFloat(group.xy), uintBitsToFloat(group.zw)); }
GROUP narrowed(halves parts) {
  return GROUP(floatBitsToUint(first_half(parts)), floatBitsToUint(second_half(parts)));
}

#else

#if FORMAT == 1016

HALF widened_upper(GROUP words) { return uintBitsToFloat(words & 0xffff0000u); }

// The rounded numbers in the upper halves of words; the lower halves are unspecified.
GROUP rounded_upper(HALF values) {
  GROUP bits = floatBitsToUint(values), rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  return mix(rounded, GROUP(0x7fc00000u), greaterThan(bits & ~sign, GROUP(infinity)));
}

GROUP narrowed(halves parts) {
  return rounded_upper(parts.even) >> 16 | rounded_upper(parts.odd) & 0xffff0000u;
}

#else

const float two_to_112 = 5192296858534827628530496329220096.0;
const uint large = 143u << 23;    // 2^16 as binary32
const uint rebiased = 126u << 10;  // excess of rounded_magnitude over the bits of binary16

HALF widened_upper(GROUP words) {
  // The bits of a binary16 number, moved to their places in binary32, are the number times 2^-112, so this
  // product is exact. Only infinity and NaN become 2^16 or more: they get the largest exponent.
  precise HALF product = uintBitsToFloat(GROUP(SIGNED_GROUP(words) >> 3) & 0x8fffe000u) * HALF(two_to_112);
  GROUP bits = floatBitsToUint(product);
  return uintBitsToFloat(
      bits | mix(GROUP(0u), GROUP(infinity), greaterThanEqual(bits & ~sign, GROUP(large))));
}

GROUP rounded_magnitude(GROUP bits) {
  GROUP magnitude = bits & ~sign, capped = min(magnitude, GROUP(large));  // 2^16 becomes infinity
  // 2^13 times the number's power of two, at least 2^-14: an ulp of the sum is an ulp of the number in
  // binary16, subnormal or not, so the addition rounds correctly.
  GROUP power = max(capped & infinity, GROUP(113u << 23)) + (13u << 23);
  precise HALF sum = uintBitsToFloat(capped) + uintBitsToFloat(power);
  GROUP rounded = floatBitsToUint(sum) - power + (power >> 13);
  return mix(rounded, GROUP(0x7e00u + rebiased), greaterThan(magnitude, GROUP(infinity)));
}

GROUP narrowed(halves parts) {
  GROUP even = floatBitsToUint(parts.even), odd = floatBitsToUint(parts.odd);
  GROUP magnitudes = rounded_magnitude(even) + (rounded_magnitude(odd) << 16) - 0x10001u * rebiased;
  return magnitudes | even >> 16 & 0x8000u | odd & sign;
}

#endif

halves widened(GROUP group) { return halves(widened_upper(group << 16), widened_upper(group)); }

#endif
