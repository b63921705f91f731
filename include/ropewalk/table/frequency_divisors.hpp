#pragma once
// Tables of what a scaling rule divides the frequencies by, correctly rounded, as ggml's rope_freqs holds them.

#include <vector>

#include "ropewalk/encoding/frequency_divisor.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk {

/// The divisors of all pairs, as bit patterns; infinity for a pair that stands still, so that x / divisor is 0.
///
/// shape   [rotary_dim / 2]
/// error   correctly rounded
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
std::vector<bits_of<Float>> frequency_divisors(const rope& config) {
  const auto shared = share<detail::table_limbs>(config);
  std::vector<bits_of<Float>> r;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto inv_freq = rope_inv_freq<detail::table_limbs>(pair, config, shared);
    const auto at_hand = round<Float>(rope_frequency_divisor<detail::table_limbs>(pair, config, shared));
    if (is_exact(inv_freq) && is_zero(inv_freq.midpoint))
      r.push_back(format<Float>::infinity);
    else
      r.push_back(at_hand.decided ? at_hand.bits
                                  : round_with_enough_limbs<Float>("ggml_factors", [&]<int N>() {
                                      return rope_frequency_divisor<N>(pair, config);
                                    }));
  }
  return r;
}
#define ROPEWALK_DIVISORS(Float) \
  ROPEWALK_COMPILED_FUNCTION(std::vector<bits_of<Float>> frequency_divisors<Float>(const rope&));
ROPEWALK_EACH_FORMAT(ROPEWALK_DIVISORS)
#undef ROPEWALK_DIVISORS

}  // namespace ropewalk
