#pragma once
// Scaling rules of rotary embeddings as exact functions: (pair, frequency) -> scaled frequency, and the
// attention factor. A rule takes base_power, the reciprocal of the frequency, and divides once, at the end. A
// scaled frequency of few bits is then exact, even where the frequency itself is not, so that a rounding tie
// is recognised. A rule with a threshold or a floor decides it by comparing enclosures. If N limbs do not
// decide it, the result is unbounded, its rounding is undecided, and Ziv's loop retries with more limbs. Each
// rule has an overload of each function; the larger rules have files of their own.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/llama3.hpp"
#include "ropewalk/encoding/longrope.hpp"
#include "ropewalk/encoding/ntk.hpp"
#include "ropewalk/encoding/rope_shared.hpp"
#include "ropewalk/encoding/treatment.hpp"
#include "ropewalk/encoding/yarn.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// No rule: the frequency itself, 1 / base_power.
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const unscaled& /*rule*/, int /*pair*/,
                                       const rope& /*config*/, const rope_shared<N>& /*shared*/) {
  return enclosure<N>::of(1) / base_power;
}

/// Position interpolation: inv_freq / factor. source  Chen et al. 2023 (arXiv:2306.15595)
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const linear& rule, int /*pair*/,
                                       const rope& /*config*/, const rope_shared<N>& /*shared*/) {
  return enclosure<N>::of(1) / (base_power * enclosure<N>::of(rule.factor));
}

/// Gemma 4: divided by `factor`, and exactly 0 from live_pairs on.
///
/// source  `_compute_proportional_rope_parameters` in Hugging Face transformers
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const proportional& rule, int pair,
                                       const rope& /*config*/, const rope_shared<N>& /*shared*/) {
  if (pair >= rule.live_pairs) return enclosure<N>::of(0);
  return enclosure<N>::of(1) / (base_power * enclosure<N>::of(rule.factor));
}

/// Divisor of the pair's frequency; unbounded for a pair of frequency 0, which no divisor gives.
template <int N>
constexpr enclosure<N> frequency_divisor(const unscaled& /*rule*/, int /*pair*/, const rope& /*config*/,
                                         const rope_shared<N>& /*shared*/) {
  return enclosure<N>::of(1);
}
template <int N>
constexpr enclosure<N> frequency_divisor(const linear& rule, int /*pair*/, const rope& /*config*/,
                                         const rope_shared<N>& /*shared*/) {
  return enclosure<N>::of(rule.factor);
}
template <int N>
constexpr enclosure<N> frequency_divisor(const proportional& rule, int pair, const rope& /*config*/,
                                         const rope_shared<N>& /*shared*/) {
  return pair < rule.live_pairs ? enclosure<N>::of(rule.factor) : unbounded<N>();
}

/// Leaves `shared` as it is: these rules have no number that all pairs share.
template <int N>
constexpr void share_rule(const unscaled& /*rule*/, const rope& /*config*/, rope_shared<N>& /*shared*/) {}
template <int N>
constexpr void share_rule(const linear& /*rule*/, const rope& /*config*/, rope_shared<N>& /*shared*/) {}
template <int N>
constexpr void share_rule(const proportional& /*rule*/, const rope& /*config*/, rope_shared<N>& /*shared*/) {}

/// Factor that the rule applies to cosine and sine: 1.
template <int N>
constexpr enclosure<N> attention_factor_of(const unscaled& /*rule*/, std::int64_t /*seq_len*/) {
  return enclosure<N>::of(1);
}
template <int N>
constexpr enclosure<N> attention_factor_of(const linear& /*rule*/, std::int64_t /*seq_len*/) {
  return enclosure<N>::of(1);
}
template <int N>
constexpr enclosure<N> attention_factor_of(const proportional& /*rule*/, std::int64_t /*seq_len*/) {
  return enclosure<N>::of(1);
}

/// Treatment of a pair by the rule.
constexpr treatment treatment_of(const unscaled& /*rule*/, int /*pair*/, const rope& /*config*/) {
  return treatment::kept;
}
constexpr treatment treatment_of(const linear& /*rule*/, int /*pair*/, const rope& /*config*/) {
  return treatment::divided;
}
constexpr treatment treatment_of(const proportional& rule, int pair, const rope& /*config*/) {
  return pair < rule.live_pairs ? treatment::divided : treatment::still;
}

/// Divisor of the pairs that the rule divides in full; 1 where it divides none.
template <int N>
constexpr exact_factor<N> whole_factor(const unscaled& /*rule*/, const rope& /*config*/) {
  return {};
}
template <int N>
constexpr exact_factor<N> whole_factor(const linear& rule, const rope& /*config*/) {
  return exact_factor<N>::of(scale_of(rule));
}
template <int N>
constexpr exact_factor<N> whole_factor(const proportional& rule, const rope& /*config*/) {
  return exact_factor<N>::of(scale_of(rule));
}

/// Whether the rule guarantees that frequencies never rise from pair to pair.
constexpr bool never_rises(const unscaled& /*rule*/, const rope& /*config*/) { return true; }
constexpr bool never_rises(const linear& /*rule*/, const rope& /*config*/) { return true; }
constexpr bool never_rises(const proportional& /*rule*/, const rope& /*config*/) { return true; }

/// A rule that blends frequencies between the two ends of a ramp.
template <class Rule>
concept has_ramp = requires(const Rule& rule, const rope& config, const rope_shared<1>& shared) {
  place_on_ramp_of<1>(rule, 0, config, shared);
};

// Dispatch on the rule of a configuration. No rule converts to the parameters of these functions, so a rule
// without its own overload does not compile.

namespace detail {

template <int N>
constexpr rope_shared<N> share_by_rule(const rope& config) {
  validate(config);
  rope_shared<N> result{.log_base = log(enclosure<N>::of(config.base))};
  config.scaling.visit([&](const auto& rule) { share_rule<N>(rule, config, result); });
  return result;
}

template <int N>
constexpr enclosure<N> inv_freq_by_rule(const enclosure<N>& base_power, int pair, const rope& config,
                                        const rope_shared<N>& shared) {
  return config.scaling.visit(
      [&](const auto& rule) { return scaled_inv_freq<N>(base_power, rule, pair, config, shared); });
}

template <int N>
constexpr enclosure<N> attention_factor_by_rule(const rope_scaling& scaling, std::int64_t seq_len) {
  return scaling.visit([&](const auto& rule) { return attention_factor_of<N>(rule, seq_len); });
}

/// Run-time versions of the functions below, compiled once (compiled_once.hpp).
template <int N>
struct scaling_at_run_time {
  static rope_shared<N> share(const rope& config);
  static enclosure<N> inv_freq(const enclosure<N>& base_power, int pair, const rope& config,
                               const rope_shared<N>& shared);
  static enclosure<N> attention_factor(const rope_scaling& scaling, std::int64_t seq_len);
};
template <int N>
rope_shared<N> scaling_at_run_time<N>::share(const rope& config) {
  return share_by_rule<N>(config);
}
template <int N>
enclosure<N> scaling_at_run_time<N>::inv_freq(const enclosure<N>& base_power, int pair, const rope& config,
                                              const rope_shared<N>& shared) {
  return inv_freq_by_rule(base_power, pair, config, shared);
}
template <int N>
enclosure<N> scaling_at_run_time<N>::attention_factor(const rope_scaling& scaling, std::int64_t seq_len) {
  return attention_factor_by_rule<N>(scaling, seq_len);
}
ROPEWALK_COMPILED_ONCE(scaling_at_run_time);

}  // namespace detail

/// Numbers that all pairs of a configuration share.
///
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr rope_shared<N> share(const rope& config) {
  return std::is_constant_evaluated() ? detail::share_by_rule<N>(config)
                                      : detail::scaling_at_run_time<N>::share(config);
}

/// Scaled frequency of one pair, whose unscaled frequency is 1 / base_power.
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, int pair, const rope& config,
                                       const rope_shared<N>& shared) {
  return std::is_constant_evaluated()
             ? detail::inv_freq_by_rule(base_power, pair, config, shared)
             : detail::scaling_at_run_time<N>::inv_freq(base_power, pair, config, shared);
}

/// Factor that the rule applies to cosine and sine: 1 except for YaRN and LongRoPE.
template <int N>
constexpr enclosure<N> attention_factor_of(const std::same_as<rope_scaling> auto& scaling,
                                           std::int64_t seq_len) {
  return std::is_constant_evaluated() ? detail::attention_factor_by_rule<N>(scaling, seq_len)
                                      : detail::scaling_at_run_time<N>::attention_factor(scaling, seq_len);
}

/// Treatment of a pair by a rule with a ramp.
///
/// throws  undecided when 24 limbs do not separate a pair from the end of a ramp
template <has_ramp Rule>
constexpr treatment treatment_of(const Rule& rule, int pair, const rope& config) {
  return treatment_on_ramp(
      [&]<int N>() { return place_on_ramp_of<N>(rule, pair, config, share<N>(config)); });
}

/// Treatment of one pair by the rule.
///
/// throws  undecided when 24 limbs do not separate a pair from the end of a ramp
constexpr treatment treatment_of(int pair, const std::same_as<rope> auto& config) {
  return config.scaling.visit([&](const auto& rule) { return treatment_of(rule, pair, config); });
}

/// Divisor of the pairs that the rule divides in full; 1 where it divides none.
template <int N>
constexpr exact_factor<N> whole_factor(const rope& config) {
  return config.scaling.visit([&](const auto& rule) { return whole_factor<N>(rule, config); });
}

/// Whether the rule guarantees that frequencies never rise from pair to pair.
constexpr bool never_rises(const rope& config) {
  return config.scaling.visit([&](const auto& rule) { return never_rises(rule, config); });
}

}  // namespace ropewalk
