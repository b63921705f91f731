// Buffers and push constants of rows.comp and repair.comp: the rows and their inputs.
#include "gpu/shaders/calls.glsl"
#if POSITION_BITS == 64
#include "gpu/shaders/real_turn.glsl"
#else
#include "gpu/shaders/turn.glsl"
#endif
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool has_factor = false;
layout(push_constant) uniform Call { rows_call call; };
#if POSITION_BITS == 64
layout(std430, binding = 0) readonly buffer Positions { uvec2 positions[]; };  // [axes][tokens], binary64
layout(std430, binding = 1) readonly buffer Turns { real_turns turns[]; };     // [pairs]
#else
layout(std430, binding = 0) readonly buffer Positions { int positions[]; };  // [axes][tokens]
layout(std430, binding = 1) readonly buffer Turns { uvec4 turns[]; };        // [pairs]
#endif
layout(std430, binding = 2) readonly buffer Axes { uint axes[]; };           // [pairs]
layout(std430, binding = 3) writeonly buffer Rows { uint rows[]; };
layout(std430, binding = 4) buffer Flags {
  uint flagged;    // entries in the list
  uint undecided;  // whether repair.comp left an entry undecided: 0 or 1
  uint list[];     // token x pairs + pair, with undecided_mark if repair.comp left the entry undecided
} flags;

scale factor() {
  uint words[4] = call.factor.significand;
  return scale(uvec4(words[0], words[1], words[2], words[3]), call.factor.exponent, !has_factor,
               call.factor.rounded);
}

uint index_of_position(uint token, uint pair) { return axes[pair] * call.tokens + token; }

#if POSITION_BITS == 64

uint word_of_significand(uint pair, int word) {
  return word >= 0 && word < 8 ? turns[pair].significand[word & 7] : 0u;
}

// The bits of a pair's significand after its first `dropped` bits, or after zeros if `dropped` is negative.
window window_of(uint pair, int dropped) {
  int lowest = 64 - dropped;  // the window's lowest bit, of 256
  int word = lowest >> 5, bit = lowest & 31;
  window r;
  uint here = word_of_significand(pair, word);
  for (int i = 0; i < window_words; ++i) {
    uint above = word_of_significand(pair, word + i + 1);
    r.word[i] = here >> bit | (above << 1) << (31 - bit);
    here = above;
  }
  return r;
}

real_turned turned_of(uint token, uint pair) {
  real_position position = decoded(positions[index_of_position(token, pair)]);
  int dropped = position.exponent + turns[pair].exponent;
  return from_quarter(position, window_of(pair, first_bit(dropped)), dropped, turns[pair].is_exact != 0u);
}

cos_sin fast_entry_of(uint token, uint pair) { return fast_cos_sin(turned_of(token, pair), factor()); }
cos_sin slow_entry_of(uint token, uint pair) { return slow_cos_sin(turned_of(token, pair), factor()); }

#else

bool is_zero_row(int position) { return call.arranged.row_offset != 0u && position == -1; }

signed_row row_of(int position) {
  uint sum = uint(position) + call.arranged.row_offset;
  bool is_negative = position < 0 && int(sum) < 0;
  return signed_row(is_negative ? 0u - sum : sum, is_negative);
}

cos_sin fast_entry_of(uint token, uint pair) {
  int position = positions[index_of_position(token, pair)];
  cos_sin entry = fast_cos_sin(row_of(position), turns[pair], factor());
  if (is_zero_row(position)) entry = cos_sin(0u, 0u, false);
  return entry;
}

cos_sin slow_entry_of(uint token, uint pair) {
  return slow_cos_sin(row_of(positions[index_of_position(token, pair)]), turns[pair], factor());
}

#endif

void store(uint token, uint pair, cos_sin entry) {
  uint row = token * call.arranged.row_words + pair * call.arranged.pair_step;
  rows[row + call.arranged.cosine_first] = entry.cosine;
  rows[row + call.arranged.sine_first] = entry.sine;
}
