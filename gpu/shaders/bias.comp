#version 450
#extension GL_GOOGLE_include_directive : enable
// ALiBi's entries for a run of key - origin per head: slope x (key - origin), correctly rounded to binary32,
// in integer arithmetic only.
//
// dispatch  one invocation per entry
#include "gpu/shaders/calls.glsl"
#include "gpu/shaders/eighth_turn.glsl"
#include "gpu/shaders/words.glsl"
#include "gpu/shaders/round.glsl"
#include "gpu/shaders/invocation.glsl"

layout(constant_id = 0) const bool is_symmetric = false;
layout(push_constant) uniform Call { bias_call call; };

layout(std430, binding = 0) readonly buffer Slopes { slope_words slopes[]; };
layout(std430, binding = 1) writeonly buffer Entries { uint entries[]; };
layout(std430, binding = 2) buffer Flags {
  uint undecided;  // 0, or 1 + the last head with an undecided entry
};

// The high 128 bits of the 160-bit product significand x distance, shifted up by `places` to normalise it.
uvec4 product(uint significand[4], uint distance, out int places) {
  uint high[4], low[4], carry = 0u;
  for (int i = 0; i < 4; ++i) umulExtended(distance, significand[i], high[i], low[i]);
  uvec4 r = uvec4(0u);
  uint rest = low[0];
  // high[i] + carry does not overflow: the high word of a product is at most 2^32 - 2.
  for (int i = 0; i < 3; ++i) r[i] = uaddCarry(low[i + 1], high[i] + carry, carry);
  r.w = high[3] + carry;
  places = r.w == 0u ? 32 : 0;
  if (r.w == 0u) {  // a distance of 1, or little more
    r = uvec4(rest, r.xyz);
    rest = 0u;
  }
  int bits = 31 - findMSB(r.w);
  places += bits;
  return r << bits | (uvec4(rest, r.xyz) >> 1) >> (31 - bits);
}

// Bits of slope x distance rounded to binary32.
uint bias(slope_words by, uint distance, inout bool flagged) {
  int places;
  uvec4 top = product(by.significand, distance, places);
  int exponent = by.exponent + 32 - places;
  if (exponent > 128) return 0x7f800000u;
  if (by.is_exact == 0u) return round128(top, exponent, uvec2(slope_error, 0u), flagged);
  // An exact slope is a binary64, so its product fits in these 128 bits and is rounded to nearest even.
  uint kept = top.w >> 8, below = top.w & 0xffu;
  bool is_more = below > 0x80u || (below == 0x80u && (top.x | top.y | top.z) != 0u);
  bool goes_up = is_more || (below == 0x80u && (kept & 1u) != 0u);
  return (uint(exponent + 126) << 23) + (kept & 0x7fffffu) + (goes_up ? 1u : 0u);
}

void main() {
  uint i = invocation();
  uint head = i / call.entries, entry = i - head * call.entries;
  if (head >= call.heads) return;
  bool is_ahead = call.first_ahead != 0u || entry >= call.first;
  uint distance = call.first_ahead != 0u ? call.first + entry
                  : is_ahead             ? entry - call.first
                                         : call.first - entry;
  bool flagged = false;
  uint bits = distance == 0u ? 0u : bias(slopes[head], distance, flagged);
  if (distance != 0u && (is_symmetric || !is_ahead)) bits |= 0x80000000u;
  entries[call.begin + head * call.head_step + entry] = bits;
  if (flagged) atomicMax(undecided, head + 1u);
}
