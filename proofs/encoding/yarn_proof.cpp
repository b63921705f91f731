// YaRN: the ramps equal those that the models' own code prints, blend the stated pairs, and are continuous at
// both ends.

#include "ropewalk/encoding/yarn.hpp"

#include "scaled_pairs.hpp"

namespace yarn_proof {

using namespace ropewalk;
using namespace ropewalk::proofs;

constexpr rope qwen_2_5{.base = 1000000,
                        .rotary_dim = 128,
                        .scaling = yarn{.factor = 4, .original_max_position_embeddings = 32768}};
constexpr rope deepseek_v3{
    .base = 10000,
    .rotary_dim = 64,
    .scaling =
        yarn{.factor = 40, .original_max_position_embeddings = 4096, .mscale = 1.0, .mscale_all_dim = 1.0}};
constexpr rope gpt_oss{
    .base = 150000,
    .rotary_dim = 64,
    .scaling = yarn{.factor = 32, .original_max_position_embeddings = 4096, .truncate = false}};

consteval bool ramp_is(const rope& config, int low, int high) {
  const yarn_ramp<limb_count> ramp = yarn_ramp_of<limb_count>(config, config.scaling.as<yarn>());
  return compare(ramp.low, real::of(low)) == order::equal &&
         compare(ramp.high, real::of(high)) == order::equal;
}
static_assert(ramp_is(qwen_2_5, 23, 40));
static_assert(ramp_is(deepseek_v3, 10, 23));

/// gpt-oss's ramp rounds to the four decimals that its code prints: (8.0928, 17.3980).
consteval bool untruncated_ramp_has_the_printed_decimals() {
  const yarn_ramp<limb_count> ramp = yarn_ramp_of<limb_count>(gpt_oss, gpt_oss.scaling.as<yarn>());
  const auto rounds_to = [](const real& x, std::int64_t ten_thousandths) {
    return compare(x * real::of(20000), real::of(2 * ten_thousandths - 1)) == order::greater &&
           compare(x * real::of(20000), real::of(2 * ten_thousandths + 1)) == order::less;
  };
  return rounds_to(ramp.low, 80928) && rounds_to(ramp.high, 173980);
}
static_assert(untruncated_ramp_has_the_printed_decimals());

/// Pairs up to the ramp's low end are kept, those from its high end on are divided, and all others are
/// blended.
static_assert(ramp_blends_exactly(qwen_2_5, 4, 24, 40));
static_assert(ramp_blends_exactly(deepseek_v3, 40, 11, 23));
static_assert(ramp_blends_exactly(gpt_oss, 32, 9, 18));

/// The statement above is false for ramps that begin or end one pair earlier or later.
consteval bool ramp_of_qwen_is_no_other() {
  return !ramp_blends_exactly(qwen_2_5, 4, 23, 40) && !ramp_blends_exactly(qwen_2_5, 4, 25, 40) &&
         !ramp_blends_exactly(qwen_2_5, 4, 24, 39) && !ramp_blends_exactly(qwen_2_5, 4, 24, 41);
}
static_assert(ramp_of_qwen_is_no_other());

/// Scaled frequency of a pair on a given ramp.
consteval real scaled_on(const real& base_power, const yarn& rule, int pair, const real& low,
                         const real& high) {
  return scaled_inv_freq(base_power, rule, pair, rope{}, rope_shared<limb_count>{.ramp = {low, high}});
}

/// At 2^-k of the ramp from an end, a frequency differs from that end's by 2^-k of the difference between
/// both ends: the ramp is continuous.
consteval bool ramp_meets_both_ends_if_pair_approaches_them() {
  const yarn rule{.factor = 4, .original_max_position_embeddings = 1};
  const real value = real::of(1), quarter = real::of(0.25), distance = real::of(0.75), pair = real::of(8);
  for (int k = 1; k <= 50; ++k) {
    const real part = times_power_of_two(value, -k);
    const real above_low = scaled_on(value, rule, 8, pair - part, pair - part + value);
    const real below_high = scaled_on(value, rule, 8, pair + part - value, pair + part);
    if (compare(above_low, value - distance * part) != order::equal) return false;
    if (compare(below_high, quarter + distance * part) != order::equal) return false;
  }
  return true;
}
static_assert(ramp_meets_both_ends_if_pair_approaches_them());

/// A missing factor is the exact quotient of the lengths: 4/3 is not a binary64, yet 1/3 over 4/3 is exact.
consteval bool missing_factor_is_the_exact_quotient_of_lengths() {
  const yarn rule{.original_max_position_embeddings = 3, .max_position_embeddings = 4};
  const real scaled = scaled_on(real::of(3), rule, 1, real::of(0), real::of(1));
  return compare(scaled, real::of(0.25)) == order::equal;
}
static_assert(missing_factor_is_the_exact_quotient_of_lengths());

consteval bool equal_mscales_cancel() {
  return compare(rope_attention_factor<limb_count>(deepseek_v3), real::of(1)) == order::equal;
}
static_assert(equal_mscales_cancel());

/// 0.1 ln 4 + 1, to binary64.
static_assert(round<double>(rope_attention_factor<limb_count>(qwen_2_5)).bits == to_bits(1.1386294361119891));

/// Where the base is a power of two a frequency has few bits, and a ramp can put it on a rounding midpoint of
/// binary32, which rounds to even: base 4, pair 1 of 2, ramp at 1/2: f' = (1 + 2^-24) / 4.
consteval bool ties_are_seen_and_go_to_even() {
  const real base_power = power(real::of(4), 1, 2);
  const real scaled = scaled_on(base_power, yarn{.factor = 0x1p24, .original_max_position_embeddings = 1}, 1,
                                real::of(0), real::of(2));
  return is_exact(scaled) && round<float>(scaled).decided && round<float>(scaled).bits == to_bits(0.25f);
}
static_assert(ties_are_seen_and_go_to_even());

}  // namespace yarn_proof
