// Scaling rules: a factor of 1 changes nothing, unrotated pairs have frequency 0, and a scaled frequency of
// few bits is exact.

#include "ropewalk/encoding/rope_scaling.hpp"

#include "scaled_pairs.hpp"

namespace rope_scaling_proof {

using namespace ropewalk;
using namespace ropewalk::proofs;

/// Every rule with a factor of 1 (dynamic: up to max_position_embeddings) gives the unscaled frequencies.
consteval bool factor_of_one_changes_nothing(const rope_scaling& scaling) {
  const rope config{.base = 10000, .rotary_dim = 64, .scaling = scaling}, plain = without_scaling(config);
  const auto shared = share<limb_count>(config);
  for (int pair = 0; pair < pair_count(config); ++pair)
    if (!round_alike(rope_inv_freq<limb_count>(pair, config, shared),
                     rope_inv_freq<limb_count>(pair, plain, shared)))
      return false;
  return true;
}
static_assert(factor_of_one_changes_nothing(linear{.factor = 1}));
static_assert(factor_of_one_changes_nothing(dynamic{.factor = 1, .max_position_embeddings = 4096}));
static_assert(factor_of_one_changes_nothing(ntk{.factor = 1}));
static_assert(factor_of_one_changes_nothing(llama3{
    .factor = 1, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192}));
static_assert(factor_of_one_changes_nothing(yarn{.factor = 1, .original_max_position_embeddings = 4096}));
static_assert(factor_of_one_changes_nothing(yarn{
    .original_max_position_embeddings = 4096, .max_position_embeddings = 4096, .truncate = false}));
static_assert(factor_of_one_changes_nothing(proportional{.live_pairs = 32, .factor = 1}));
static_assert(!factor_of_one_changes_nothing(linear{.factor = 1.0000000000000002}));

/// Gemma 4 rotates a quarter of its 512 channels: 64 live pairs with the frequencies of a whole head of 512,
/// and 192 pairs of frequency 0.
consteval bool dead_pairs_are_exactly_zero_and_live_ones_as_in_the_whole_head() {
  const rope gemma_4{.base = 1000000, .rotary_dim = 512, .scaling = proportional{.live_pairs = 64}};
  const rope plain = without_scaling(gemma_4);
  const auto shared = share<limb_count>(gemma_4);
  for (int pair = 0; pair < 256; ++pair) {
    const real f = rope_inv_freq<limb_count>(pair, gemma_4, shared);
    if (pair >= 64 && !(is_exact(f) && is_zero(f.midpoint))) return false;
    if (pair < 64 && !round_alike(f, rope_inv_freq<limb_count>(pair, plain, shared))) return false;
  }
  return true;
}
static_assert(dead_pairs_are_exactly_zero_and_live_ones_as_in_the_whole_head());

/// The factors of 3 cancel, so the product 1/3 x 3/4 = 1/4 is exact.
consteval bool quotients_that_cancel_are_exact() {
  const rope config{.base = 9, .rotary_dim = 4, .scaling = dynamic{1, 3072}, .seq_len = 4096};
  const real f = rope_inv_freq<limb_count>(1, config);
  return is_exact(f) && compare(f, real::of(0.25)) == order::equal;
}
static_assert(quotients_that_cancel_are_exact());

}  // namespace rope_scaling_proof
