#pragma once
// Tables of the divisors that a scaling rule applies to the frequencies, correctly rounded, as in ggml's
// rope_freqs.

#include <type_traits>
#include <vector>

#include "ropewalk/encoding/frequency_divisor.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
constexpr std::vector<bits_of<Float>> divisors_of(const rope& config) {
  const auto shared = share<table_limbs>(config);
  std::vector<bits_of<Float>> bits;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto inv_freq = rope_inv_freq<table_limbs>(pair, config, shared);
    const auto at_hand = round<Float>(rope_frequency_divisor<table_limbs>(pair, config, shared));
    if (is_exact(inv_freq) && is_zero(inv_freq.midpoint))
      bits.push_back(format<Float>::infinity);
    else
      bits.push_back(at_hand.decided ? at_hand.bits
                                     : round_with_enough_limbs<Float>("ggml_factors", [&]<int N>() {
                                         return rope_frequency_divisor<N>(pair, config);
                                       }));
  }
  return bits;
}

/// Run-time version of the function above, compiled once (compiled_once.hpp).
template <floating_format Float>
std::vector<bits_of<Float>> divisors_at_run_time(const rope& config) {
  return divisors_of<Float>(config);
}
#define ROPEWALK_DIVISORS(Float) \
  ROPEWALK_COMPILED_FUNCTION(std::vector<bits_of<Float>> divisors_at_run_time<Float>(const rope&));
ROPEWALK_EACH_FORMAT(ROPEWALK_DIVISORS)
#undef ROPEWALK_DIVISORS

}  // namespace detail

/// Bits of the divisors of all pairs; infinity for a pair of frequency 0, so that x / divisor is 0.
///
/// shape   [rotary_dim / 2]
/// error   correctly rounded
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr std::vector<bits_of<Float>> frequency_divisors(const rope& config) {
  if (std::is_constant_evaluated()) return detail::divisors_of<Float>(config);
  return detail::divisors_at_run_time<Float>(config);
}

}  // namespace ropewalk
