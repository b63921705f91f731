// LongRoPE: the long list applies strictly beyond the original length, and the attention factor depends on
// the list only where mscales are given.

#include "ropewalk/encoding/longrope.hpp"

#include "scaled_pairs.hpp"

namespace longrope_proof {

using namespace ropewalk;
using namespace ropewalk::proofs;

constexpr double short_factor[] = {1, 2, 4, 8};
constexpr double long_factor[] = {2, 8, 32, 128};

/// Phi-3.5-mini's lengths, with unscaled frequencies 1, 1/16, 1/256, 1/4096.
constexpr rope phi_3_5(std::int64_t seq_len) {
  return {.base = 65536,
          .rotary_dim = 8,
          .scaling = longrope{.short_factor = short_factor,
                              .long_factor = long_factor,
                              .original_max_position_embeddings = 4096,
                              .max_position_embeddings = 131072},
          .seq_len = seq_len};
}

constexpr bool list_is(const double (&list)[4], std::int64_t seq_len) {
  for (int pair = 0; pair < 4; ++pair) {
    const real expected = times_power_of_two(real::of(1) / real::of(list[pair]), -4 * pair);
    if (compare(rope_inv_freq<limb_count>(pair, phi_3_5(seq_len)), expected) != order::equal) return false;
  }
  return true;
}

consteval bool list_is_long_strictly_beyond_the_original_length() {
  return list_is(short_factor, 0) && list_is(short_factor, 4095) && list_is(short_factor, 4096) &&
         list_is(long_factor, 4097) && list_is(long_factor, largest_seq_len) && !list_is(long_factor, 4096) &&
         !list_is(short_factor, 4097);
}
static_assert(list_is_long_strictly_beyond_the_original_length());

/// sqrt(1 + ln 32 / ln 4096) = 1.19023807142381, on either side of the switch.
consteval bool attention_factor_heeds_no_list() {
  const real before = rope_attention_factor<limb_count>(phi_3_5(4096)),
             after = rope_attention_factor<limb_count>(phi_3_5(4097));
  return nearest(before) == to_bits(1.1902380714238083) && nearest(after) == nearest(before);
}
static_assert(attention_factor_heeds_no_list());

consteval bool mscales_follow_the_list() {
  longrope rule = phi_3_5(0).scaling.as<longrope>();
  rule.short_mscale = 1.25;
  rule.long_mscale = 1.5;
  return compare(attention_factor_of<limb_count>(rule, 4096), real::of(1.25)) == order::equal &&
         compare(attention_factor_of<limb_count>(rule, 4097), real::of(1.5)) == order::equal;
}
static_assert(mscales_follow_the_list());

}  // namespace longrope_proof
