#pragma once
// Llama 3.1's rule: three bands of wavelengths, decided by comparing enclosures.

#include "ropewalk/config/llama3.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Llama 3.1: kept where the wavelength is below original length / high_freq_factor, divided by `factor` above
/// original length / low_freq_factor, and a ramp between.
///
/// source  `Llama3` rope scaling in meta-llama/llama-models; `llama3` in Hugging Face transformers
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const llama3& rule) {
  using real = enclosure<N>;
  const real one = real::of(1), factor = real::of(rule.factor);
  if (rule.factor == 1) return one / base_power;  // a blend of equals, which pi would make inexact
  // original length / wavelength: how often the pair turns within the original length.
  const real turns = real::of(rule.original_max_position_embeddings) * inverse_two_pi<N>() / base_power;
  const real low = real::of(rule.low_freq_factor), high = real::of(rule.high_freq_factor);
  const order to_low = compare(turns, low), to_high = compare(turns, high);
  if (to_low == order::undecided || to_high == order::undecided) return unbounded<N>();
  if (to_low == order::less) return one / (base_power * factor);
  if (to_high == order::greater) return one / base_power;
  const real ramp = (turns - low) / (high - low);
  return ((one - ramp) / factor + ramp) / base_power;
}

}  // namespace ropewalk
