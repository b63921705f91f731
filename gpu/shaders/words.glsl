// Unsigned 64-bit and 128-bit arithmetic in 32-bit words, lowest first. All bits of a fraction follow the
// binary point.

uint high_product(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return high;
}

uvec2 subtract64(uvec2 a, uvec2 b) {
  uint borrow;
  uint low = usubBorrow(a.x, b.x, borrow);
  return uvec2(low, a.y - b.y - borrow);
}

// A product of fractions, from 0 to 3 units of the last place below the exact one.
uvec2 multiply64(uvec2 a, uvec2 b) {
  uint high, low, high1, low1, high2, low2, carry;
  umulExtended(a.y, b.y, high, low);
  umulExtended(a.y, b.x, high1, low1);
  umulExtended(a.x, b.y, high2, low2);
  low = uaddCarry(low, high1, carry);
  high += carry;
  low = uaddCarry(low, high2, carry);
  high += carry;
  return uvec2(low, high);
}

uvec4 subtract128(uvec4 a, uvec4 b) {
  uint borrow = 0u;
  uvec4 r = uvec4(0u);
  for (int i = 0; i < 4; ++i) {
    uint borrow1, borrow2;
    uint difference = usubBorrow(a[i], b[i], borrow1);
    r[i] = usubBorrow(difference, borrow, borrow2);
    borrow = borrow1 + borrow2;
  }
  return r;
}

uvec4 negate128(uvec4 a) { return subtract128(uvec4(0u), a); }

// A product of fractions, truncated: less than one unit of the last place below the exact one.
uvec4 multiply128(uvec4 a, uvec4 b) {
  uint product[8] = uint[8](0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
  for (int i = 0; i < 4; ++i) {
    uint above = 0u;
    for (int j = 0; j < 4; ++j) {
      uint high, low, carry1, carry2;
      umulExtended(a[i], b[j], high, low);
      low = uaddCarry(low, product[i + j], carry1);
      product[i + j] = uaddCarry(low, above, carry2);
      above = high + carry1 + carry2;
    }
    product[i + 4] = above;
  }
  return uvec4(product[4], product[5], product[6], product[7]);
}

// Shifts `a` up by whole words until the highest is not 0. `rest` is the further shift that sets its top bit;
// `places` is the total shift.
uvec4 with_highest_word(uvec4 a, out int rest, out int places) {
  places = 0;
  for (int i = 0; i < 3; ++i)
    if (a.w == 0u) {
      a = uvec4(0u, a.xyz);
      places += 32;
    }
  rest = a.w == 0u ? 0 : 31 - findMSB(a.w);
  places += rest;
  return a;
}

// Shifts `a` up by `places` until its top bit is set; zero stays zero. GLSL leaves a shift by 32 undefined:
// shift by 1, then by 31.
uvec4 normalised128(uvec4 a, out int places) {
  int rest;
  a = with_highest_word(a, rest, places);
  return a << rest | (uvec4(0u, a.xyz) >> 1) >> (31 - rest);
}

// The high 64 bits of normalised128(a).
uvec2 normalised64(uvec4 a, out int places) {
  int rest;
  a = with_highest_word(a, rest, places);
  return a.zw << rest | (a.yz >> 1) >> (31 - rest);
}
