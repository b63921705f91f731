#pragma once
// YaRN: a ramp over the pairs, whose ends are decided on enclosures, and the attention factor.

#include <cstdint>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope_shared.hpp"
#include "ropewalk/encoding/treatment.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/integer_part.hpp"

namespace ropewalk {

namespace detail {

/// The pair index, a real number, that makes `rotations` turns within the original length L: with
/// d = rotary_dim, d ln(L / (2 pi rotations)) / (2 ln base).
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

/// Ends of YaRN's ramp; unbounded where N limbs do not decide a floor or a clamp.
///
/// units   pair index, a real number when `truncate` is false
/// source  Peng et al. 2023 (arXiv:2309.00071), find_correction_range; `_compute_yarn_parameters` in Hugging
///         Face transformers
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
  // With equal betas both ends are the same number, but inexact enclosures never compare equal. A clamp may
  // still separate them.
  const bool one_number = rule.beta_fast == rule.beta_slow && !rule.truncate;
  const bool is_clamped = below == order::less || above == order::greater;
  if (below == order::less) low = zero;
  if (above == order::greater) high = last;
  if ((one_number && !is_clamped) || compare(low, high) == order::equal)
    high = high + real::of(1) / real::of(1000);
  return {low, high};
}

/// YaRN: the frequency is kept below the ramp, divided by the factor above it, and blended between.
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const yarn& rule, int pair,
                                       const rope& /*config*/, const rope_shared<N>& shared) {
  using real = enclosure<N>;
  const yarn_ramp<N>& ramp = shared.ramp;
  const quotient scale = scale_of(rule);
  // Both ends of the ramp agree. The blend could be inexact.
  if (scale.numerator == scale.denominator) return real::of(1) / base_power;
  const real numerator = real::of(scale.numerator), denominator = real::of(scale.denominator);
  const real position = real::of(pair), share = (position - ramp.low) / (ramp.high - ramp.low);
  const order to_zero = compare(share, real::of(0)), to_one = compare(share, real::of(1));
  if (to_zero == order::undecided || to_one == order::undecided) return unbounded<N>();
  if (to_zero != order::greater) return real::of(1) / base_power;
  if (to_one != order::less) return denominator / (base_power * numerator);
  return (numerator * (ramp.high - position) + denominator * (position - ramp.low)) /
         (base_power * numerator * (ramp.high - ramp.low));
}

/// Divisor of the pair's frequency; unbounded where N limbs do not decide its place on the ramp.
template <int N>
constexpr enclosure<N> frequency_divisor(const yarn& rule, int pair, const rope& /*config*/,
                                         const rope_shared<N>& shared) {
  using real = enclosure<N>;
  const yarn_ramp<N>& ramp = shared.ramp;
  const quotient scale = scale_of(rule);
  const real numerator = real::of(scale.numerator), denominator = real::of(scale.denominator);
  // Decided on the share, not on the ends: clamps can leave the high end below the low one.
  const real position = real::of(pair), share = (position - ramp.low) / (ramp.high - ramp.low);
  const order to_zero = compare(share, real::of(0)), to_one = compare(share, real::of(1));
  if (to_zero == order::undecided || to_one == order::undecided) return unbounded<N>();
  if (to_zero != order::greater) return real::of(1);
  if (to_one != order::less) return numerator / denominator;
  return numerator * (ramp.high - ramp.low) /
         (numerator * (ramp.high - position) + denominator * (position - ramp.low));
}

/// Stores the two ends of the ramp, which all pairs share.
template <int N>
constexpr void share_rule(const yarn& rule, const rope& config, rope_shared<N>& shared) {
  shared.ramp = yarn_ramp_of<N>(config, rule);
}

/// Place of a pair on the ramp, in pairs.
template <int N>
constexpr place_on_ramp<N> place_on_ramp_of(const yarn& /*rule*/, int pair, const rope& /*config*/,
                                            const rope_shared<N>& shared) {
  return {enclosure<N>::of(pair), shared.ramp.low, shared.ramp.high};
}

/// The factor, which divides every frequency beyond the ramp.
template <int N>
constexpr exact_factor<N> whole_factor(const yarn& rule, const rope& /*config*/) {
  return exact_factor<N>::of(scale_of(rule));
}

/// Whether the rule guarantees that frequencies never rise from pair to pair: for factors of 1 or more.
constexpr bool never_rises(const yarn& rule, const rope& /*config*/) {
  const quotient scale = scale_of(rule);
  return scale.numerator >= scale.denominator;
}

namespace detail {

/// g(factor, m) = 1 for factor <= 1, else 0.1 m ln(factor) + 1.
template <int N>
constexpr enclosure<N> yarn_mscale(const quotient& factor, double m) {
  using real = enclosure<N>;
  if (factor.numerator <= factor.denominator || m == 0) return real::of(1);
  const real growth = real::of(factor.numerator) / real::of(factor.denominator);
  return real::of(m) * log(growth) / real::of(10) + real::of(1);
}

}  // namespace detail

/// Factor of cosine and sine: `attention_factor` if given; else g(factor, mscale) / g(factor,
/// mscale_all_dim) if both are nonzero; else g(factor, 1).
template <int N>
constexpr enclosure<N> attention_factor_of(const yarn& rule, std::int64_t /*seq_len*/) {
  if (rule.attention_factor) return enclosure<N>::of(rule.attention_factor.value);
  const quotient factor = scale_of(rule);
  if (rule.mscale.value_or(0) != 0 && rule.mscale_all_dim.value_or(0) != 0) {
    if (rule.mscale.value == rule.mscale_all_dim.value) return enclosure<N>::of(1);
    return detail::yarn_mscale<N>(factor, rule.mscale.value) /
           detail::yarn_mscale<N>(factor, rule.mscale_all_dim.value);
  }
  return detail::yarn_mscale<N>(factor, 1);
}

}  // namespace ropewalk
