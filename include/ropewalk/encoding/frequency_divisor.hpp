#pragma once
// What a scaling rule divides a frequency by, as exact functions: ggml keeps a model's rule as such divisors. Told by the
// rule, not by dividing: what a rule keeps is divided by exactly 1, what it interpolates by exactly its factor.

#include <cstdint>
#include <numeric>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/function/constants.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

namespace detail {

template <int N>
constexpr enclosure<N> divisor_of(const llama3& rule, const enclosure<N>& unscaled) {
  using real = enclosure<N>;
  const real turns = real::of(rule.original_max_position_embeddings) * unscaled * inverse_two_pi<N>();
  const real low = real::of(rule.low_freq_factor), high = real::of(rule.high_freq_factor);
  const real factor = real::of(rule.factor);
  const order to_low = compare(turns, low), to_high = compare(turns, high);
  if (to_low == order::undecided || to_high == order::undecided) return unbounded<N>();
  if (to_low == order::less) return factor;
  if (to_high == order::greater) return real::of(1);
  return factor * (high - low) / (high - low + (turns - low) * (factor - real::of(1)));
}

template <int N>
constexpr enclosure<N> divisor_of(const yarn& rule, int pair, const yarn_ramp<N>& ramp) {
  using real = enclosure<N>;
  const quotient scale = scale_of(rule);
  const real numerator = real::of(scale.numerator), denominator = real::of(scale.denominator);
  // By the share, not by the ends: clamps can leave the high end below the low one.
  const real position = real::of(pair), share = (position - ramp.low) / (ramp.high - ramp.low);
  const order to_zero = compare(share, real::of(0)), to_one = compare(share, real::of(1));
  if (to_zero == order::undecided || to_one == order::undecided) return unbounded<N>();
  if (to_zero != order::greater) return real::of(1);
  if (to_one != order::less) return numerator / denominator;
  return numerator * (ramp.high - ramp.low) /
         (numerator * (ramp.high - position) + denominator * (position - ramp.low));
}

/// growth^(2 pair / (rotary_dim - 2)), where NTK's base has grown by growth^(rotary_dim / (rotary_dim - 2)).
template <int N>
constexpr enclosure<N> ntk_divisor(const enclosure<N>& growth, int pair, int rotary_dim) {
  const int shared = std::gcd(2 * pair, rotary_dim - 2);
  return power(growth, static_cast<std::uint32_t>(2 * pair / shared),
               static_cast<std::uint32_t>((rotary_dim - 2) / shared));
}

template <int N>
constexpr enclosure<N> growth_of(const dynamic& rule, std::int64_t seq_len) {
  using real = enclosure<N>;
  const real longest = real::of(rule.max_position_embeddings), length = real::of(seq_len);
  if (compare(length, longest) != order::greater) return real::of(1);
  return (real::of(rule.factor) * (length - longest) + longest) / longest;
}

}  // namespace detail

/// What the scaling rule divides a pair's frequency by: base^(-2 pair / rotary_dim) / rope_inv_freq.
///
/// units   none
/// domain  0 <= pair < rotary_dim / 2; unbounded for a pair that stands still, which nothing divides to 0
/// error   carried by the enclosure; exact where the rule names the number; unbounded where N limbs do not decide the
///         rule's thresholds
/// throws  std::invalid_argument naming the field and its value
/// source  `rope_freqs.weight` of GGUF files and `freq_factors` of ggml_rope_ext in llama.cpp
template <int N>
constexpr enclosure<N> rope_frequency_divisor(int pair, const rope& config, const rope_shared<N>& shared) {
  detail::validate_pair(pair, config);
  const rope_scaling& scaling = config.scaling;
  switch (scaling.rule) {
    case scaling_rule::none: return enclosure<N>::of(1);
    case scaling_rule::linear: return enclosure<N>::of(scaling.as_linear.factor);
    case scaling_rule::dynamic:
      return detail::ntk_divisor(detail::growth_of<N>(scaling.as_dynamic, config.seq_len), pair,
                                 config.rotary_dim);
    case scaling_rule::ntk:
      return detail::ntk_divisor(enclosure<N>::of(scaling.as_ntk.factor), pair, config.rotary_dim);
    case scaling_rule::llama3:
      return detail::divisor_of(scaling.as_llama3, detail::unscaled_inv_freq<N>(pair, config, shared));
    case scaling_rule::yarn: return detail::divisor_of(scaling.as_yarn, pair, shared.ramp);
    case scaling_rule::longrope: {
      const longrope& rule = scaling.as_longrope;
      const factor_list& list = takes_long_list(rule, config.seq_len) ? rule.long_factor : rule.short_factor;
      return enclosure<N>::of(list[pair]);
    }
    case scaling_rule::proportional:
      return pair < scaling.as_proportional.live_pairs ? enclosure<N>::of(scaling.as_proportional.factor)
                                                       : unbounded<N>();
  }
  return unbounded<N>();
}

template <int N>
constexpr enclosure<N> rope_frequency_divisor(int pair, const rope& config) {
  return rope_frequency_divisor<N>(pair, config, share<N>(config));
}

}  // namespace ropewalk
