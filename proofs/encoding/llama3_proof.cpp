// Llama 3.1 scaling: the pairs of each band, and the ramp's continuity at both ends.

#include "ropewalk/encoding/llama3.hpp"

#include "scaled_pairs.hpp"

namespace llama3_proof {

using namespace ropewalk;
using namespace ropewalk::proofs;

constexpr rope llama_3_1{
    .base = 500000,
    .rotary_dim = 128,
    .scaling = llama3{
        .factor = 8, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192}};
constexpr rope llama_3_2{
    .base = 500000,
    .rotary_dim = 64,
    .scaling = llama3{
        .factor = 32, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192}};

/// Llama 3.1: pairs 0 to 28 turn more than 4 times in 8192 positions, pairs 35 to 63 less than once.
static_assert(ramp_blends_exactly(llama_3_1, 8, 29, 35));
/// Llama 3.2 1B has half the pairs, at every second of these frequencies.
static_assert(ramp_blends_exactly(llama_3_2, 32, 15, 18));

consteval bool bands_are_no_others() {
  return !ramp_blends_exactly(llama_3_1, 8, 28, 35) && !ramp_blends_exactly(llama_3_1, 8, 30, 35) &&
         !ramp_blends_exactly(llama_3_1, 8, 29, 34) && !ramp_blends_exactly(llama_3_1, 8, 29, 36);
}
static_assert(bands_are_no_others());

/// A pair of frequency 1 makes 8192 / 2 pi turns. With one end of the ramp at the next binary64 above or
/// below that, the scaled frequency is within 2^-50 of the frequency beyond that end, but not equal to it.
consteval bool ramp_meets_both_ends_if_turns_approach_them() {
  const real value = real::of(1), quarter = real::of(0.25), little = times_power_of_two(value, -50);
  const std::uint64_t turns = nearest(real::of(8192) * inverse_two_pi<limb_count>());
  if (!is_decided(turns)) return false;
  const auto scaled = [&](const llama3& rule) {
    return scaled_inv_freq(value, rule, 0, rope{}, rope_shared<limb_count>{});
  };
  const real below_high = scaled(llama3{4, 1, from_bits<double>(turns + 1), 8192});
  const real above_low = scaled(llama3{4, from_bits<double>(turns - 1), 4096, 8192});
  return compare(value - below_high, real::of(0)) == order::greater &&
         compare(value - below_high, little) == order::less &&
         compare(above_low - quarter, real::of(0)) == order::greater &&
         compare(above_low - quarter, little) == order::less;
}
static_assert(ramp_meets_both_ends_if_turns_approach_them());

}  // namespace llama3_proof
