// What rows.comp and repair.comp share: where rows lie, and what they are made from.
#include "gpu/shaders/turn.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool has_factor = false;
layout(push_constant) uniform Call {
  uvec4 factor;         // significand of the attention factor
  int factor_exponent;
  uint factor_rounded;  // to binary32
  uint tokens;
  uint pairs;
  uint row_offset;      // a position's row is its own and this further; above 0, position -1 has zeros
  uint row_words;       // from a row to the next
  uint cosine_first;    // of a row, the words of the first pair's cosine and of its sine
  uint sine_first;
  uint pair_step;       // words from a pair to the next
} call;
layout(std430, binding = 0) readonly buffer Positions { int positions[]; };  // [axes][tokens]
layout(std430, binding = 1) readonly buffer Turns { uvec4 turns[]; };        // [pairs]
layout(std430, binding = 2) readonly buffer Axes { uint axes[]; };           // [pairs]
layout(std430, binding = 3) writeonly buffer Rows { uint rows[]; };
layout(std430, binding = 4) buffer Flags {
  uint flagged;    // entries in the list
  uint undecided;  // 0, or a pair's number from 1, of which even the repair could not round an entry
  uint list[];
} flags;

scale factor() { return scale(call.factor, call.factor_exponent, !has_factor, call.factor_rounded); }

int position_of(uint token, uint pair) { return positions[axes[pair] * call.tokens + token]; }

bool is_zero_row(int position) { return call.row_offset != 0u && position == -1; }

signed_row row_of(int position) {
  uint sum = uint(position) + call.row_offset;
  bool is_negative = position < 0 && int(sum) < 0;
  return signed_row(is_negative ? 0u - sum : sum, is_negative);
}

void store(uint token, uint pair, cos_sin entry) {
  uint row = token * call.row_words + pair * call.pair_step;
  rows[row + call.cosine_first] = entry.cosine;
  rows[row + call.sine_first] = entry.sine;
}
