// NTK-aware scaling by a fixed factor, and dynamic NTK by the length of the sequence.

#include "ropewalk/encoding/ntk.hpp"

#include "scaled_pairs.hpp"

namespace ntk_proof {

using namespace ropewalk;
using namespace ropewalk::proofs;

/// Base 2^n for n pairs: pair i has frequency 2^-i, and the slowest, n - 1, becomes 2^-(n - 1) / 16.
consteval bool slowest_pair_is_divided_by_exactly_the_factor() {
  for (int pairs = 2; pairs <= 24; ++pairs) {
    const rope config{.base = static_cast<double>(std::int64_t{1} << pairs),
                      .rotary_dim = 2 * pairs,
                      .scaling = ntk{.factor = 16}};
    const real slowest = times_power_of_two(real::of(1), 1 - pairs - 4);
    if (compare(rope_inv_freq<limb_count>(pairs - 1, config), slowest) != order::equal) return false;
    if (compare(rope_inv_freq<limb_count>(0, config), real::of(1)) != order::equal) return false;
  }
  return true;
}
static_assert(slowest_pair_is_divided_by_exactly_the_factor());

/// With a base that is not a power of two, the slowest pair still has the frequency that `linear` gives.
consteval bool slowest_pair_agrees_with_interpolation() {
  const rope by_ntk{.base = 10000, .rotary_dim = 128, .scaling = ntk{.factor = 4}};
  const rope by_linear{.base = 10000, .rotary_dim = 128, .scaling = linear{.factor = 4}};
  const auto f = [](int pair, const rope& config) { return rope_inv_freq<limb_count>(pair, config); };
  return round_alike(f(63, by_ntk), f(63, by_linear)) &&
         compare(f(62, by_ntk), f(62, by_linear)) == order::greater;
}
static_assert(slowest_pair_agrees_with_interpolation());

constexpr rope internlm_2_5(std::int64_t seq_len) {
  return {.base = 1000000,
          .rotary_dim = 128,
          .scaling = dynamic{.factor = 2, .max_position_embeddings = 32768},
          .seq_len = seq_len};
}

consteval bool dynamic_is_default_up_to_max_position_embeddings(std::int64_t seq_len) {
  const rope config = internlm_2_5(seq_len), plain = without_scaling(config);
  const auto shared = share<limb_count>(config);
  for (int pair = 0; pair < pair_count(config); ++pair)
    if (!round_alike(rope_inv_freq<limb_count>(pair, config, shared),
                     rope_inv_freq<limb_count>(pair, plain, shared)))
      return false;
  return true;
}
static_assert(dynamic_is_default_up_to_max_position_embeddings(0));
static_assert(dynamic_is_default_up_to_max_position_embeddings(32768));
static_assert(!dynamic_is_default_up_to_max_position_embeddings(32769));

/// One more token lowers every frequency but that of pair 0.
consteval bool dynamic_falls_with_every_token_beyond(std::int64_t seq_len) {
  const rope shorter = internlm_2_5(seq_len), longer = internlm_2_5(seq_len + 1);
  const auto of_shorter = share<limb_count>(shorter), of_longer = share<limb_count>(longer);
  for (int pair = 1; pair < pair_count(longer); ++pair)
    if (compare(rope_inv_freq<limb_count>(pair, longer, of_longer),
                rope_inv_freq<limb_count>(pair, shorter, of_shorter)) != order::less)
      return false;
  return compare(rope_inv_freq<limb_count>(0, longer, of_longer), real::of(1)) == order::equal;
}
static_assert(dynamic_falls_with_every_token_beyond(32768));
static_assert(dynamic_falls_with_every_token_beyond(largest_seq_len - 1));
static_assert(!dynamic_falls_with_every_token_beyond(32767));

}  // namespace ntk_proof
