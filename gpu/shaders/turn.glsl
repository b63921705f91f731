// Cosine and sine of a row's turns, correctly rounded to binary32 unless flagged. Uses only 32-bit integer
// arithmetic, so the bits are the same on every device. Proof: proofs/gpu/eighth_turn.md.
#include "gpu/shaders/eighth_turn.glsl"
#include "gpu/shaders/round.glsl"
#include "gpu/shaders/words.glsl"

// An angle relative to the nearest quarter turn: quarter pi / 2 plus y pi / 4, or minus if `before`.
struct turned {
  uint quarter;
  bool before;
  uvec4 y;  // a fraction
};

// The index of a row of cosines and sines: a position plus the row offset.
struct signed_row {
  uint magnitude;
  bool is_negative;
};

// row x turns modulo 1.
uvec4 phase128(uint row, uvec4 turns) {
  uint high0, high1, high2, low1, low2, carry;
  uvec4 r = uvec4(0u);
  umulExtended(row, turns.x, high0, r.x);
  umulExtended(row, turns.y, high1, low1);
  umulExtended(row, turns.z, high2, low2);
  r.y = uaddCarry(low1, high0, carry);
  r.z = uaddCarry(low2, high1 + carry, carry);  // no overflow: a high word is at most 2^32 - 2
  r.w = row * turns.w + high2 + carry;
  return r;
}

turned from_quarter(signed_row row, uvec4 turns) {
  uvec4 phase = phase128(row.magnitude, turns);
  turned r;
  r.quarter = (phase.w + 0x20000000u) >> 30;
  phase.w -= r.quarter << 30;
  r.before = (phase.w & 0x80000000u) != 0u;
  if (r.before) phase = negate128(phase);
  if (row.is_negative) {
    r.before = !r.before;
    r.quarter = (4u - r.quarter) & 3u;
  }
  r.y = phase << 3 | uvec4(0u, phase.xyz >> 29);
  if (phase.w >= 0x20000000u) r.y = uvec4(0xffffffffu);  // exactly an eighth: one unit of the last place less
  return r;
}

struct cos_sin {
  uint cosine;  // bits of binary32
  uint sine;
  bool flagged;  // whether a rounding is undecided
};

const uint sign_bit = 0x80000000u;

// Moves `sine` and `cosine` of y pi / 4, bits of magnitudes, to the quadrant of the angle. Zero stays +0.
cos_sin placed(turned at, uint sine, uint cosine, bool flagged) {
  if (at.before && sine != 0u) sine |= sign_bit;
  bool swaps = (at.quarter & 1u) != 0u;
  cos_sin r = cos_sin(swaps ? sine : cosine, swaps ? cosine : sine, flagged);
  if (((at.quarter + 1u) & 2u) != 0u && r.cosine != 0u) r.cosine ^= sign_bit;
  if ((at.quarter & 2u) != 0u && r.sine != 0u) r.sine ^= sign_bit;
  return r;
}

// A factor of both values: significand x 2^exponent, the significand a fraction of at least 1/2; `rounded` is
// the factor in binary32.
struct scale {
  uvec4 significand;
  int exponent;
  bool is_one;
  uint rounded;
};

uvec2 scaled64(uvec2 value, scale by, inout int exponent) {
  uvec2 r = multiply64(value, by.significand.zw);
  exponent += by.exponent;
  if ((r.y & sign_bit) != 0u) return r;
  --exponent;  // a product of two such fractions is at least 1/4
  return r << 1 | uvec2(0u, r.x >> 31);
}

// `moved`, or the exact entry of a pair that does not rotate: the factor as cosine, 0 as sine.
cos_sin still_or(cos_sin moved, signed_row row, uvec4 turns, scale by) {
  bool is_still = row.magnitude == 0u || turns == uvec4(0u);
  return cos_sin(is_still ? by.rounded : moved.cosine, is_still ? 0u : moved.sine,
                 !is_still && moved.flagged);
}

// `leading` is y shifted up by `places`, so that its top bit is set. The error of the turns counts as if y
// had been shifted up by `error_places`.
cos_sin fast_entry(turned at, uvec2 leading, int places, int error_places, scale by) {
  uvec2 y = at.y.zw, w = multiply64(y, y);
  uint high, low;
  uint s4 = sine4 - (high_product(w.y, sine5) >> 7);
  uint s3 = sine3 - (high_product(w.y, s4) >> 7);
  umulExtended(w.y, s3, high, low);
  uvec2 over_y = subtract64(sine2, uvec2(high << 18 | low >> 14, high >> 14));
  over_y = subtract64(sine1, multiply64(w, over_y));
  over_y = subtract64(sine0, multiply64(w, over_y));
  uint c5 = cosine5 - (high_product(w.y, cosine6) >> 8);
  uint c4 = cosine4 - (high_product(w.y, c5) >> 7);
  umulExtended(w.y, c4, high, low);
  uvec2 cosine = subtract64(cosine3, uvec2(high << 15 | low >> 17, high >> 17));
  cosine = subtract64(cosine2, multiply64(w, cosine));
  cosine = subtract64(cosine1, multiply64(w, cosine));
  cosine = ~multiply64(w, cosine);  // 1 - w cosine, less one unit of the last place

  uvec2 sine = multiply64(leading, over_y);
  int rest = 31 - findMSB(sine.y);  // at most 2: over_y is above 1/2
  if (sine.y == 0u) rest = 0;
  sine = sine << rest | uvec2(0u, (sine.x >> 1) >> (31 - rest));
  int sine_exponent = -places - rest, cosine_exponent = 0;
  if (!by.is_one) {
    sine = scaled64(sine, by, sine_exponent);
    cosine = scaled64(cosine, by, cosine_exponent);
  }
  bool flagged = false;
  uint sine_bits = round64(sine, sine_exponent, fast_error, flagged);
  uint cosine_bits = round64(cosine, cosine_exponent, fast_error, flagged);
  return placed(at, sine_bits, cosine_bits, flagged || error_places > fast_places);
}

cos_sin fast_cos_sin(signed_row row, uvec4 turns, scale by) {
  turned at = from_quarter(row, turns);
  int places;
  uvec2 leading = normalised64(at.y, places);
  return still_or(fast_entry(at, leading, places, places, by), row, turns, by);
}

uvec4 scaled128(uvec4 value, scale by, inout int exponent) {
  int places;
  uvec4 r = normalised128(multiply128(value, by.significand), places);
  exponent += by.exponent - places;
  return r;
}

// As fast_entry, with 128 bits.
cos_sin slow_entry(turned at, uvec4 leading, int places, int error_places, scale by) {
  uvec4 w = multiply128(at.y, at.y), over_y = sine_series[sine_terms - 1],
        cosine = cosine_series[cosine_terms - 1];
  for (int i = sine_terms - 2; i >= 0; --i) over_y = subtract128(sine_series[i], multiply128(w, over_y));
  for (int i = cosine_terms - 2; i >= 0; --i) cosine = subtract128(cosine_series[i], multiply128(w, cosine));
  int rest, cosine_rest;
  uvec4 sine = normalised128(multiply128(leading, over_y), rest);
  cosine = normalised128(cosine, cosine_rest);
  int sine_exponent = -places - rest, cosine_exponent = -cosine_rest;
  if (!by.is_one) {
    sine = scaled128(sine, by, sine_exponent);
    cosine = scaled128(cosine, by, cosine_exponent);
  }
  bool flagged = error_places > slow_places;
  // The error of the turns, 8 units, is shifted with the sine.
  int phase_bit = min(error_places, slow_places) + 3;
  uvec2 sine_error = phase_bit < 32 ? uvec2(slow_error + (1u << phase_bit), 0u)
                                    : uvec2(slow_error, 1u << (phase_bit - 32));
  uint sine_bits = round128(sine, sine_exponent, sine_error, flagged);
  uint cosine_bits = round128(cosine, cosine_exponent, uvec2(slow_error + 8u, 0u), flagged);
  return placed(at, sine_bits, cosine_bits, flagged);
}

cos_sin slow_cos_sin(signed_row row, uvec4 turns, scale by) {
  turned at = from_quarter(row, turns);
  int places;
  uvec4 leading = normalised128(at.y, places);
  return still_or(slow_entry(at, leading, places, places, by), row, turns, by);
}
