// Buffers and push constants of rows.comp and repair.comp: the rows, and the numbers from which they are
// computed.
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/turn.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool has_factor = false;
layout(push_constant) uniform Call { rows_call call; };
layout(std430, binding = 0) readonly buffer Positions { int positions[]; };  // [axes][tokens]
layout(std430, binding = 1) readonly buffer Turns { uvec4 turns[]; };        // [pairs]
layout(std430, binding = 2) readonly buffer Axes { uint axes[]; };           // [pairs]
layout(std430, binding = 3) writeonly buffer Rows { uint rows[]; };
layout(std430, binding = 4) buffer Flags {
  uint flagged;    // entries in the list
  uint undecided;  // 0, or 1 + the last pair with an entry that repair.comp left undecided
  uint list[];
} flags;

scale factor() {
  uint words[4] = call.factor.significand;
  return scale(uvec4(words[0], words[1], words[2], words[3]), call.factor.exponent, !has_factor,
               call.factor.rounded);
}

int position_of(uint token, uint pair) { return positions[axes[pair] * call.tokens + token]; }

bool is_zero_row(int position) { return call.arranged.row_offset != 0u && position == -1; }

signed_row row_of(int position) {
  uint sum = uint(position) + call.arranged.row_offset;
  bool is_negative = position < 0 && int(sum) < 0;
  return signed_row(is_negative ? 0u - sum : sum, is_negative);
}

void store(uint token, uint pair, cos_sin entry) {
  uint row = token * call.arranged.row_words + pair * call.arranged.pair_step;
  rows[row + call.arranged.cosine_first] = entry.cosine;
  rows[row + call.arranged.sine_first] = entry.sine;
}
