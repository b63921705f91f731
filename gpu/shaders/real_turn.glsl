// Cosine and sine of the turns of a position in binary64, correctly rounded to binary32 unless flagged. Uses
// only 32-bit integer arithmetic. A position m 2^e turns by m x (F 2^e modulo 1) turns. Only a window of F's
// bits matters; its place depends on e. Proof: proofs/gpu/eighth_turn.md.
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/turn.glsl"

// A finite number, significand x 2^exponent.
struct real_position {
  uvec2 significand;  // below 2^position_bits
  int exponent;
  bool is_negative;
};

real_position decoded(uvec2 bits) {
  uint exponent = bits.y >> 20 & 0x7ffu;
  uint leading = exponent != 0u ? 0x100000u : 0u;
  return real_position(uvec2(bits.x, bits.y & 0xfffffu | leading), int(max(exponent, 1u)) - 1075,
                       (bits.y & sign_bit) != 0u);
}

const int window_words = 6;

// A fraction, lowest word first.
struct window {
  uint word[window_words];
};

// The angle of a position, as `turned`.
struct real_turned {
  turned at;
  uvec4 leading;  // y shifted up by `places`, so that its top bit is set
  int places;
  int error_places;  // as those of fast_entry
  bool is_quarter;   // whether y is exactly 0
};

// Below 1/8 of a turn for any significand. `dropped` is the number of bits of the turns before the window.
bool is_slight(int dropped) { return dropped <= -position_bits - 3; }
int first_bit(int dropped) { return is_slight(dropped) ? -position_bits : dropped; }

// by x a modulo 1.
window product(uvec2 by, window a) {
  window r;
  uint high, low, carry, carry_of_sum, above = 0u;
  for (int i = 0; i < window_words; ++i) {
    umulExtended(by.x, a.word[i], high, low);
    r.word[i] = uaddCarry(low, above, carry);
    above = high + carry;  // no overflow: a high word is at most 2^32 - 2
  }
  above = 0u;
  for (int i = 1; i < window_words; ++i) {
    umulExtended(by.y, a.word[i - 1], high, low);
    low = uaddCarry(low, r.word[i], carry);
    r.word[i] = uaddCarry(low, above, carry_of_sum);
    above = high + carry + carry_of_sum;
  }
  return r;
}

window negated(window a) {
  uint carry = 1u;
  for (int i = 0; i < window_words; ++i) a.word[i] = uaddCarry(~a.word[i], carry, carry);
  return a;
}

// 8 a, or 1 less one unit of the last place.
window eighths(window a) {
  bool is_whole = a.word[window_words - 1] >= 0x20000000u;
  for (int i = window_words - 1; i >= 0; --i) {
    uint below = i > 0 ? a.word[max(i, 1) - 1] >> 29 : 0u;
    a.word[i] = is_whole ? 0xffffffffu : a.word[i] << 3 | below;
  }
  return a;
}

uvec4 high128(window a) { return uvec4(a.word[2], a.word[3], a.word[4], a.word[5]); }

uvec4 shifted_down(uvec4 a, int places) {
  for (int i = 0; i < 4; ++i)
    if (places >= 32) {
      a = uvec4(a.yzw, 0u);
      places -= 32;
    }
  int rest = min(places, 31);
  return a >> rest | (uvec4(a.yzw, 0u) << 1) << (31 - rest);
}

// The high 128 bits of `a`, shifted up by `places` until its top bit is set; zero stays zero.
uvec4 leading128(window a, out int places) {
  places = 0;
  for (int i = 1; i < window_words; ++i)
    if (a.word[window_words - 1] == 0u) {
      for (int j = window_words - 1; j > 0; --j) a.word[j] = a.word[j - 1];
      a.word[0] = 0u;
      places += 32;
    }
  uint top = a.word[window_words - 1];
  int rest = top == 0u ? 32 : 31 - findMSB(top);
  places += rest;
  rest &= 31;
  return high128(a) << rest | (uvec4(a.word[1], a.word[2], a.word[3], a.word[4]) >> 1) >> (31 - rest);
}

// `turns` are those of one unit, from their bit `first_bit(dropped)` on.
real_turned from_quarter(real_position by, window turns, int dropped, bool is_exact) {
  is_exact = is_exact || by.significand == uvec2(0u);
  bool slight = is_slight(dropped);
  window y = product(by.significand, turns);
  real_turned r;
  r.at.quarter = slight ? 0u : (y.word[window_words - 1] + 0x20000000u) >> 30;
  y.word[window_words - 1] -= r.at.quarter << 30;
  r.at.before = !slight && (y.word[window_words - 1] & sign_bit) != 0u;
  if (r.at.before) y = negated(y);
  if (!slight) y = eighths(y);
  if (by.is_negative) {
    r.at.before = !r.at.before;
    r.at.quarter = (4u - r.at.quarter) & 3u;
  }
  int below = slight ? -position_bits - 3 - dropped : 0;
  r.leading = leading128(y, r.places);
  r.is_quarter = is_exact && r.places == 32 * window_words;
  r.error_places = is_exact ? 0 : dropped > most_dropped ? slow_places + 1 : max(r.places - real_places, 0);
  r.places += below;
  r.at.y = shifted_down(high128(y), below);
  return r;
}

// `entry`, or the exact entry of a whole number of quarter turns.
cos_sin quarter_or(cos_sin entry, real_turned angle, scale by) {
  cos_sin exact = placed(angle.at, 0u, by.rounded, false);
  return cos_sin(angle.is_quarter ? exact.cosine : entry.cosine, angle.is_quarter ? exact.sine : entry.sine,
                 !angle.is_quarter && entry.flagged);
}

cos_sin fast_cos_sin(real_turned angle, scale by) {
  return quarter_or(fast_entry(angle.at, angle.leading.zw, angle.places, angle.error_places, by), angle, by);
}

cos_sin slow_cos_sin(real_turned angle, scale by) {
  return quarter_or(slow_entry(angle.at, angle.leading, angle.places, angle.error_places, by), angle, by);
}
