#pragma once
// NTK-aware scaling: the base grows with the sequence length, or by a fixed factor.

#include <cstdint>
#include <numeric>

#include "ropewalk/config/ntk.hpp"
#include "ropewalk/encoding/rope_shared.hpp"
#include "ropewalk/encoding/treatment.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Growth of dynamic NTK: (factor max(seq_len, max) - (factor - 1) max) / max, max = max_position_embeddings.
template <int N>
constexpr exact_factor<N> base_growth(const dynamic& rule, std::int64_t seq_len) {
  using real = enclosure<N>;
  const real longest = real::of(rule.max_position_embeddings), length = real::of(seq_len);
  if (compare(length, longest) != order::greater) return {};
  return {real::of(rule.factor) * (length - longest) + longest, longest};
}

/// Growth of NTK at a fixed factor: the factor.
template <int N>
constexpr exact_factor<N> base_growth(const ntk& rule, std::int64_t /*seq_len*/) {
  return exact_factor<N>::of(scale_of(rule));
}

/// A rule under which the base grows.
template <class Rule>
concept growing_base = requires(const Rule& rule) {
  base_growth<1>(rule, 0);
};

/// NTK: the frequency times growth^(-2 pair / (rotary_dim - 2)).
///
/// The base is replaced by base growth^(rotary_dim / (rotary_dim - 2)). Where the scaled frequency has few
/// bits, both roots are exact, because rotary_dim / 2 and rotary_dim / 2 - 1 are coprime.
///
/// source  `_compute_dynamic_ntk_parameters` in Hugging Face transformers
template <int N, growing_base Rule>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const Rule& /*rule*/, int pair,
                                       const rope& config, const rope_shared<N>& shared) {
  if (compare(shared.inverse_growth, enclosure<N>::of(1)) == order::equal)
    return enclosure<N>::of(1) / base_power;
  const int common = std::gcd(2 * pair, config.rotary_dim - 2);
  return power_from_log(shared.inverse_growth, shared.log_inverse_growth,
                        static_cast<std::uint32_t>(2 * pair / common),
                        static_cast<std::uint32_t>((config.rotary_dim - 2) / common)) /
         base_power;
}

/// Divisor of the pair's frequency: growth^(2 pair / (rotary_dim - 2)).
template <int N, growing_base Rule>
constexpr enclosure<N> frequency_divisor(const Rule& rule, int pair, const rope& config,
                                         const rope_shared<N>& /*shared*/) {
  const exact_factor<N> growth = base_growth<N>(rule, config.seq_len);
  const int common = std::gcd(2 * pair, config.rotary_dim - 2);
  return power(growth.numerator / growth.denominator, static_cast<std::uint32_t>(2 * pair / common),
               static_cast<std::uint32_t>((config.rotary_dim - 2) / common));
}

/// Stores 1 / growth, which is exact where it has few bits, and its logarithm.
template <int N, growing_base Rule>
constexpr void share_rule(const Rule& rule, const rope& config, rope_shared<N>& shared) {
  const exact_factor<N> growth = base_growth<N>(rule, config.seq_len);
  shared.inverse_growth = growth.denominator / growth.numerator;
  shared.log_inverse_growth = log(shared.inverse_growth);
}

/// 1: the rule does not scale cosine and sine.
template <int N, growing_base Rule>
constexpr enclosure<N> attention_factor_of(const Rule& /*rule*/, std::int64_t /*seq_len*/) {
  return enclosure<N>::of(1);
}

/// Pair 0 is kept: its frequency is 1 for any base. The others are blended; the slowest is divided by the
/// whole growth.
template <growing_base Rule>
constexpr treatment treatment_of(const Rule& /*rule*/, int pair, const rope& /*config*/) {
  return pair == 0 ? treatment::kept : treatment::blended;
}

/// `base_growth`, which divides the frequency of the slowest pair.
template <int N, growing_base Rule>
constexpr exact_factor<N> whole_factor(const Rule& rule, const rope& config) {
  return base_growth<N>(rule, config.seq_len);
}

/// Whether the rule guarantees that frequencies never rise from pair to pair: where the base never shrinks.
constexpr bool never_rises(const dynamic& /*rule*/, const rope& /*config*/) { return true; }
constexpr bool never_rises(const ntk& rule, const rope& /*config*/) { return rule.factor >= 1; }

}  // namespace ropewalk
