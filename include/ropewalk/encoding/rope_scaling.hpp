#pragma once
// Scaling rules of rotary embeddings as exact functions: (pair, frequency) -> scaled frequency, and the
// attention factor. A rule takes the frequency as base_power, the number it is 1 over, and divides once, at
// the end: where the scaled frequency is a number of few bits it comes out exact, though neither factor need
// be, and a tie of rounding is seen. A rule with a threshold or a floor decides it by comparing enclosures;
// what N limbs cannot decide comes back unbounded, so that rounding it is undecided and Ziv's loop asks again
// with more. A rule of some size has a file of its own.

#include <cstdint>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/llama3.hpp"
#include "ropewalk/encoding/longrope.hpp"
#include "ropewalk/encoding/ntk.hpp"
#include "ropewalk/encoding/yarn.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Position interpolation: inv_freq / factor. source  Chen et al. 2023 (arXiv:2306.15595)
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const linear& rule) {
  return enclosure<N>::of(1) / (base_power * enclosure<N>::of(rule.factor));
}

/// Gemma 4: divided by `factor`, and exactly 0 from live_pairs on.
///
/// source  `_compute_proportional_rope_parameters` in Hugging Face transformers
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const proportional& rule, int pair) {
  if (pair >= rule.live_pairs) return enclosure<N>::of(0);
  return enclosure<N>::of(1) / (base_power * enclosure<N>::of(rule.factor));
}

/// What all pairs of an encoding share: computed once, used for each.
template <int N>
struct rope_shared {
  enclosure<N> log_base{};
  yarn_ramp<N> ramp{};
  enclosure<N> inverse_growth{};  // of NTK's base
  enclosure<N> log_inverse_growth{};
};

/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr rope_shared<N> share(const rope& config) {
  validate(config);
  rope_shared<N> r{.log_base = log(enclosure<N>::of(config.base))};
  const rope_scaling& scaling = config.scaling;
  if (scaling.rule == scaling_rule::yarn) r.ramp = yarn_ramp_of<N>(config, scaling.as_yarn);
  if (scaling.rule == scaling_rule::dynamic)
    r.inverse_growth = inverse_growth<N>(scaling.as_dynamic, config.seq_len);
  if (scaling.rule == scaling_rule::ntk) r.inverse_growth = inverse_growth<N>(scaling.as_ntk);
  if (!is_zero(r.inverse_growth.midpoint)) r.log_inverse_growth = log(r.inverse_growth);
  return r;
}

/// The rule of a configuration, applied to the frequency of one pair, which is 1 / base_power.
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, int pair, const rope& config,
                                       const rope_shared<N>& shared) {
  const rope_scaling& scaling = config.scaling;
  switch (scaling.rule) {
    case scaling_rule::none: return enclosure<N>::of(1) / base_power;
    case scaling_rule::linear: return scaled_inv_freq(base_power, scaling.as_linear);
    case scaling_rule::dynamic:
    case scaling_rule::ntk:
      return ntk_inv_freq(base_power, pair, config.rotary_dim, shared.inverse_growth,
                          shared.log_inverse_growth);
    case scaling_rule::llama3: return scaled_inv_freq(base_power, scaling.as_llama3);
    case scaling_rule::yarn: return scaled_inv_freq(base_power, scaling.as_yarn, pair, shared.ramp);
    case scaling_rule::longrope:
      return scaled_inv_freq(base_power, scaling.as_longrope, pair, config.seq_len);
    case scaling_rule::proportional: return scaled_inv_freq(base_power, scaling.as_proportional, pair);
  }
  return unbounded<N>();
}

/// What the rule multiplies cosine and sine by: 1 but for YaRN and LongRoPE.
template <int N>
constexpr enclosure<N> attention_factor_of(const rope_scaling& scaling, std::int64_t seq_len) {
  if (scaling.rule == scaling_rule::yarn) return attention_factor_of<N>(scaling.as_yarn);
  if (scaling.rule == scaling_rule::longrope) return attention_factor_of<N>(scaling.as_longrope, seq_len);
  return enclosure<N>::of(1);
}

}  // namespace ropewalk
