// Rounding to binary32 in integer arithmetic, with a test for results that the error of the value leaves
// undecided.

// Rounds significand x 2^exponent to binary32. The significand is a fraction of at least 1/2 with an error of
// at most `error` units of its last place. Flags results within `error` of a rounding midpoint, or outside
// the normal range.
uint round64(uvec2 significand, int exponent, uint error, inout bool flagged) {
  uint carry;
  uint low = uaddCarry(significand.x, error, carry);
  uint high = (significand.y & 0xffu) - 0x80u + carry;
  flagged = flagged || (high == 0u && low <= 2u * error) || exponent < -125 || exponent > 128;
  return (uint(exponent + 126) << 23) + ((significand.y >> 8) & 0x7fffffu) + ((significand.y >> 7) & 1u);
}

// The same for a significand of 128 bits; `error` has two words and counts units of 2^-96.
uint round128(uvec4 significand, int exponent, uvec2 error, inout bool flagged) {
  uint carry, carry_of_error;
  uint low = uaddCarry(significand.y, error.x, carry);
  uint middle = uaddCarry(significand.z, carry, carry);
  middle = uaddCarry(middle, error.y, carry_of_error);
  uint high = (significand.w & 0xffu) - 0x80u + carry + carry_of_error;
  uvec2 twice = uvec2(error.x << 1, error.y << 1 | error.x >> 31);
  bool is_within = middle < twice.y || (middle == twice.y && low <= twice.x);
  flagged = flagged || (high == 0u && is_within) || exponent < -125 || exponent > 128;
  return (uint(exponent + 126) << 23) + ((significand.w >> 8) & 0x7fffffu) + ((significand.w >> 7) & 1u);
}
