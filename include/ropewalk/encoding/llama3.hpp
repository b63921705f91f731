#pragma once
// Llama 3.1's rule: three bands of wavelengths, separated by comparing enclosures.

#include <cstdint>

#include "ropewalk/config/llama3.hpp"
#include "ropewalk/encoding/rope_shared.hpp"
#include "ropewalk/encoding/treatment.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Llama 3.1: the frequency is kept where the wavelength is below original length / high_freq_factor, divided
/// by `factor` where it is above original length / low_freq_factor, and blended between.
///
/// source  `Llama3` rope scaling in meta-llama/llama-models; `llama3` in Hugging Face transformers
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const llama3& rule, int /*pair*/,
                                       const rope& /*config*/, const rope_shared<N>& /*shared*/) {
  using real = enclosure<N>;
  const real value = real::of(1), factor = real::of(rule.factor);
  // Both ends of the ramp agree. The blend would be inexact, because its share contains pi.
  if (rule.factor == 1) return value / base_power;
  // original length / wavelength: the number of turns of the pair within the original length.
  const real turns = real::of(rule.original_max_position_embeddings) * inverse_two_pi<N>() / base_power;
  const real low = real::of(rule.low_freq_factor), high = real::of(rule.high_freq_factor);
  const order to_low = compare(turns, low), to_high = compare(turns, high);
  if (to_low == order::undecided || to_high == order::undecided) return unbounded<N>();
  if (to_low == order::less) return value / (base_power * factor);
  // The number of turns is irrational and so never equals a factor: without a ramp, `turns` is below or above
  // both.
  if (to_high == order::greater) return value / base_power;
  const real ramp = (turns - low) / (high - low);
  return ((value - ramp) / factor + ramp) / base_power;
}

/// Divisor of the pair's frequency; unbounded where N limbs do not decide its place on the ramp.
template <int N>
constexpr enclosure<N> frequency_divisor(const llama3& rule, int pair, const rope& config,
                                         const rope_shared<N>& shared) {
  using real = enclosure<N>;
  const real turns = real::of(rule.original_max_position_embeddings) *
                     detail::unscaled_inv_freq<N>(pair, config, shared) * inverse_two_pi<N>();
  const real low = real::of(rule.low_freq_factor), high = real::of(rule.high_freq_factor);
  const real factor = real::of(rule.factor);
  const order to_low = compare(turns, low), to_high = compare(turns, high);
  if (to_low == order::undecided || to_high == order::undecided) return unbounded<N>();
  if (to_low == order::less) return factor;
  if (to_high == order::greater) return real::of(1);
  return factor * (high - low) / (high - low + (turns - low) * (factor - real::of(1)));
}

/// Leaves `shared` as it is: the rule has no number that all pairs share.
template <int N>
constexpr void share_rule(const llama3& /*rule*/, const rope& /*config*/, rope_shared<N>& /*shared*/) {}

/// 1: the rule does not scale cosine and sine.
template <int N>
constexpr enclosure<N> attention_factor_of(const llama3& /*rule*/, std::int64_t /*seq_len*/) {
  return enclosure<N>::of(1);
}

/// Place of a pair on the ramp, in turns within the original length; before or behind the ramp if the ramp
/// has no length.
template <int N>
constexpr place_on_ramp<N> place_on_ramp_of(const llama3& rule, int pair, const rope& config,
                                            const rope_shared<N>& shared) {
  using real = enclosure<N>;
  const real turns = real::of(rule.original_max_position_embeddings) * inverse_two_pi<N>() /
                     detail::base_power<N>(pair, config, shared);
  if (rule.low_freq_factor == rule.high_freq_factor) {
    const order to_step = compare(turns, real::of(rule.high_freq_factor));
    if (to_step == order::undecided) return {unbounded<N>(), real::of(0), real::of(1)};
    return {real::of(to_step == order::greater ? 0 : 1), real::of(0), real::of(1)};
  }
  return {turns, real::of(rule.high_freq_factor), real::of(rule.low_freq_factor)};
}

/// `factor`, which divides the frequencies of long wavelengths.
template <int N>
constexpr exact_factor<N> whole_factor(const llama3& rule, const rope& /*config*/) {
  return exact_factor<N>::of(scale_of(rule));
}

/// Whether the rule guarantees that frequencies never rise from pair to pair: for factors of 1 or more.
constexpr bool never_rises(const llama3& rule, const rope& /*config*/) { return rule.factor >= 1; }

}  // namespace ropewalk
