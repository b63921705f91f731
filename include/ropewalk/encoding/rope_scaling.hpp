#pragma once
// Scaling rules of rotary embeddings as exact functions: (pair, frequency) -> scaled frequency, and the attention factor.
// A rule with a threshold or a floor decides it by comparing enclosures; what N limbs cannot decide comes back unbounded,
// so that rounding it is undecided and Ziv's loop asks again with more. A new rule is one more function here.

#include <cstdint>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/integer_part.hpp"

namespace ropewalk {

/// Position interpolation: inv_freq / factor. source  Chen et al. 2023 (arXiv:2306.15595)
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& inv_freq, const linear& rule) {
  return inv_freq / enclosure<N>::of(rule.factor);
}

/// Llama 3.1: kept where the wavelength is below original length / high_freq_factor, divided by `factor` above
/// original length / low_freq_factor, and a ramp between.
///
/// source  `Llama3` rope scaling in meta-llama/llama-models; `llama3` in Hugging Face transformers
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& inv_freq, const llama3& rule) {
  using real = enclosure<N>;
  // original length / wavelength: how often the pair turns within the original length.
  const real turns = real::of(rule.original_max_position_embeddings) * inv_freq * inverse_two_pi<N>();
  const real low = real::of(rule.low_freq_factor), high = real::of(rule.high_freq_factor);
  const real interpolated = inv_freq / real::of(rule.factor);
  const order to_low = compare(turns, low), to_high = compare(turns, high);
  if (to_low == order::undecided || to_high == order::undecided) return unbounded<N>();
  if (to_low == order::less) return interpolated;
  if (to_high == order::greater) return inv_freq;
  const real ramp = (turns - low) / (high - low);
  return (real::of(1) - ramp) * interpolated + ramp * inv_freq;
}

/// The pairs between which YaRN's ramp runs.
template <int N>
struct yarn_ramp {
  enclosure<N> low;
  enclosure<N> high;
};

namespace detail {

/// The pair that turns `rotations` times within the original length: d ln(L / (2 pi rotations)) / (2 ln base).
template <int N>
constexpr enclosure<N> yarn_pair_of(double rotations, const rope& config, const yarn& rule) {
  using real = enclosure<N>;
  const real turns =
      real::of(rule.original_max_position_embeddings) * inverse_two_pi<N>() / real::of(rotations);
  return real::of(config.rotary_dim) * log(turns) / times_power_of_two(log(real::of(config.base)), 1);
}

template <int N>
constexpr enclosure<N> decided_or_unbounded(const decided_integer& integer) {
  return integer.decided ? enclosure<N>::of(integer.value) : unbounded<N>();
}

}  // namespace detail

/// Where YaRN's ramp begins and ends; unbounded ends where N limbs do not decide a floor or a clamp.
///
/// units   pair index, a real number when `truncate` is false
/// source  Peng et al. 2023 (arXiv:2309.00071), find_correction_range; Hugging Face transformers `_compute_yarn_parameters`
template <int N>
constexpr yarn_ramp<N> yarn_ramp_of(const rope& config, const yarn& rule) {
  using real = enclosure<N>;
  real low = detail::yarn_pair_of<N>(rule.beta_fast, config, rule);
  real high = detail::yarn_pair_of<N>(rule.beta_slow, config, rule);
  if (rule.truncate) {
    low = detail::decided_or_unbounded<N>(floor(low));
    high = detail::decided_or_unbounded<N>(ceiling(high));
  }
  const real zero = real::of(0), last = real::of(config.rotary_dim - 1);
  const order below = compare(low, zero), above = compare(high, last);
  if (below == order::undecided || above == order::undecided) return {unbounded<N>(), unbounded<N>()};
  if (below == order::less) low = zero;
  if (above == order::greater) high = last;
  const bool one_number = rule.beta_fast == rule.beta_slow && !rule.truncate;  // the same expression twice
  if (one_number || compare(low, high) == order::equal) high = high + real::of(1) / real::of(1000);
  return {low, high};
}

/// YaRN: unscaled below the ramp, divided by `factor` above it.
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& inv_freq, const yarn& rule, int pair,
                                       const yarn_ramp<N>& ramp) {
  using real = enclosure<N>;
  const real interpolated = inv_freq / real::of(rule.factor), zero = real::of(0), one = real::of(1);
  const real share = (real::of(pair) - ramp.low) / (ramp.high - ramp.low);
  const order to_zero = compare(share, zero), to_one = compare(share, one);
  if (to_zero == order::undecided || to_one == order::undecided) return unbounded<N>();
  if (to_zero != order::greater) return inv_freq;
  if (to_one != order::less) return interpolated;
  // One division, at the end: where the blend is a number of few bits it comes out exact, and a tie can be seen.
  const real factor = real::of(rule.factor), position = real::of(pair);
  return inv_freq * (factor * (ramp.high - position) + (position - ramp.low)) /
         (factor * (ramp.high - ramp.low));
}

namespace detail {

/// g(factor, m) = 1 for factor <= 1, else 0.1 m ln(factor) + 1.
template <int N>
constexpr enclosure<N> yarn_mscale(double factor, double m) {
  using real = enclosure<N>;
  if (factor <= 1 || m == 0) return real::of(1);
  return real::of(m) * log(real::of(factor)) / real::of(10) + real::of(1);
}

}  // namespace detail

/// What multiplies cosine and sine: `attention_factor` when given, else from `mscale` and the factor.
template <int N>
constexpr enclosure<N> attention_factor_of(const yarn& rule) {
  if (rule.attention_factor) return enclosure<N>::of(rule.attention_factor.value);
  if (rule.mscale.value_or(0) != 0 && rule.mscale_all_dim.value_or(0) != 0) {
    if (rule.mscale.value == rule.mscale_all_dim.value) return enclosure<N>::of(1);
    return detail::yarn_mscale<N>(rule.factor, rule.mscale.value) /
           detail::yarn_mscale<N>(rule.factor, rule.mscale_all_dim.value);
  }
  return detail::yarn_mscale<N>(rule.factor, 1);
}

}  // namespace ropewalk
