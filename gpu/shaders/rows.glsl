// What rows.comp and repair.comp share: where rows lie, and what they are made from.
#include "gpu/shaders/turn.glsl"

layout(local_size_x = 64) in;
layout(constant_id = 0) const bool has_factor = false;
layout(push_constant) uniform Call {
  uvec4 factor;        // significand of the attention factor
  int factor_exponent;
  uint factor_rounded; // to binary32
  uint tokens;
  uint pairs;
  uint row_words;      // from a row to the next: cosines from its start, sines from its middle
} call;
layout(std430, binding = 0) readonly buffer Positions { int positions[]; };  // [axes][tokens]
layout(std430, binding = 1) readonly buffer Turns { uvec4 turns[]; };        // [pairs]
layout(std430, binding = 2) readonly buffer Axes { uint axes[]; };           // [pairs]
layout(std430, binding = 3) writeonly buffer Rows { uint rows[]; };
layout(std430, binding = 4) buffer Flags {
  uint flagged;    // entries in the list
  uint undecided;  // of them, what even the repair could not round
  uint list[];
} flags;

scale factor() { return scale(call.factor, call.factor_exponent, !has_factor, call.factor_rounded); }

int position_of(uint token, uint pair) { return positions[axes[pair] * call.tokens + token]; }

void store(uint token, uint pair, cos_sin entry) {
  uint row = token * call.row_words;
  rows[row + pair] = entry.cosine;
  rows[row + call.row_words / 2u + pair] = entry.sine;
}
