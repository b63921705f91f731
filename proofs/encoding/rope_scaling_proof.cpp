// Witnesses of the scaling rules: ramps, thresholds and attention factors that the field's own code and papers print.

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/rational.hpp"
#include "ropewalk/numeric/round.hpp"

namespace {

using namespace ropewalk;
using real = enclosure<4>;

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
constexpr rope llama_3_1{
    .base = 500000,
    .rotary_dim = 128,
    .scaling = llama3{
        .factor = 8, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192}};

consteval bool ramp_is(const rope& config, int low, int high) {
  const yarn_ramp<4> ramp = yarn_ramp_of<4>(config, config.scaling.as_yarn);
  return compare(ramp.low, real::of(low)) == order::equal &&
         compare(ramp.high, real::of(high)) == order::equal;
}
static_assert(ramp_is(qwen_2_5, 23, 40));
static_assert(ramp_is(deepseek_v3, 10, 23));

/// gpt-oss's ramp lies where its four printed decimals say: (8.0928, 17.3980), each a truncation or a rounding.
consteval bool untruncated_ramp_has_the_printed_decimals() {
  const yarn_ramp<4> ramp = yarn_ramp_of<4>(gpt_oss, gpt_oss.scaling.as_yarn);
  const auto rounds_to = [](const real& x, std::int64_t ten_thousandths) {
    return compare(x * real::of(20000), real::of(2 * ten_thousandths - 1)) == order::greater &&
           compare(x * real::of(20000), real::of(2 * ten_thousandths + 1)) == order::less;
  };
  return rounds_to(ramp.low, 80928) && rounds_to(ramp.high, 173980);
}
static_assert(untruncated_ramp_has_the_printed_decimals());

consteval bool equal_mscales_cancel() {
  return compare(rope_attention_factor<4>(deepseek_v3), real::of(1)) == order::equal;
}
static_assert(equal_mscales_cancel());

/// 0.1 ln 4 + 1, to binary64.
static_assert(round<double>(rope_attention_factor<4>(qwen_2_5)).bits == to_bits(1.1386294361119891));

/// Pairs below the ramp keep their frequency, pairs above it lose exactly the factor.
consteval bool yarn_keeps_fast_pairs_and_divides_slow_ones() {
  const rope plain{.base = 1000000, .rotary_dim = 128};
  const auto bits = [](const rope& config, int pair) {
    return round<double>(rope_inv_freq<4>(pair, config)).bits;
  };
  for (const int pair : {0, 22, 23})
    if (bits(qwen_2_5, pair) != bits(plain, pair)) return false;
  for (const int pair : {40, 41, 63})
    if (round<double>(rope_inv_freq<4>(pair, qwen_2_5) * real::of(4)).bits != bits(plain, pair)) return false;
  return bits(qwen_2_5, 24) < bits(plain, 24);
}
static_assert(yarn_keeps_fast_pairs_and_divides_slow_ones());

/// Llama 3.1: pairs 0 to 28 turn more than 4 times in 8192 positions, pairs 35 to 63 less than once.
consteval bool llama3_thresholds_lie_between_pairs() {
  const rope plain{.base = 500000, .rotary_dim = 128};
  const auto bits = [](const rope& config, int pair) {
    return round<double>(rope_inv_freq<4>(pair, config)).bits;
  };
  return bits(llama_3_1, 28) == bits(plain, 28) && bits(llama_3_1, 29) < bits(plain, 29) &&
         round<double>(rope_inv_freq<4>(34, llama_3_1) * real::of(8)).bits > bits(plain, 34) &&
         round<double>(rope_inv_freq<4>(35, llama_3_1) * real::of(8)).bits == bits(plain, 35);
}
static_assert(llama3_thresholds_lie_between_pairs());

/// Where the base is a power of two a frequency is a short number, a ramp can put it on a tie of binary32, and the tie
/// goes to even: base 4, pair 1 of 4, ramp at 1/2: f' = (1 + 2^-24) / 4.
consteval bool ties_are_seen_and_go_to_even() {
  const real base_power = power(real::of(4), 1, 2);
  const real scaled =
      scaled_inv_freq(base_power, yarn{.factor = 0x1p24, .original_max_position_embeddings = 1}, 1,
                      yarn_ramp<4>{real::of(0), real::of(2)});
  return is_exact(scaled) && round<float>(scaled).decided && round<float>(scaled).bits == to_bits(0.25f);
}
static_assert(ties_are_seen_and_go_to_even());

}  // namespace
