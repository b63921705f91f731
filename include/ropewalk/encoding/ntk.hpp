#pragma once
// NTK-aware scaling: frequencies of a base that grows with the sequence, or by a fixed factor.

#include <cstdint>
#include <numeric>

#include "ropewalk/config/ntk.hpp"
#include "ropewalk/encoding/rope_shared.hpp"
#include "ropewalk/encoding/treatment.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// How much the base of dynamic NTK has grown: (factor max(seq_len, max) - (factor - 1) max) / max.
template <int N>
constexpr exact_factor<N> base_growth(const dynamic& rule, std::int64_t seq_len) {
  using real = enclosure<N>;
  const real longest = real::of(rule.max_position_embeddings), length = real::of(seq_len);
  if (compare(length, longest) != order::greater) return {};
  return {real::of(rule.factor) * (length - longest) + longest, longest};
}

/// The same for NTK at a fixed factor.
template <int N>
constexpr exact_factor<N> base_growth(const ntk& rule, std::int64_t /*seq_len*/) {
  return exact_factor<N>::of(scale_of(rule));
}

/// A rule that lets the base grow.
template <class Rule>
concept growing_base = requires(const Rule& rule) {
  base_growth<1>(rule, 0);
};

/// NTK: base x growth^(rotary_dim / (rotary_dim - 2)) in place of the base, which multiplies a frequency by
/// growth^(-2 pair / (rotary_dim - 2)). Both roots come out exact where the quotient is a number of few bits,
/// because no divisor but 1 is common to rotary_dim / 2 and rotary_dim / 2 - 1.
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

/// growth^(2 pair / (rotary_dim - 2)).
template <int N, growing_base Rule>
constexpr enclosure<N> frequency_divisor(const Rule& rule, int pair, const rope& config,
                                         const rope_shared<N>& /*shared*/) {
  const exact_factor<N> growth = base_growth<N>(rule, config.seq_len);
  const int common = std::gcd(2 * pair, config.rotary_dim - 2);
  return power(growth.numerator / growth.denominator, static_cast<std::uint32_t>(2 * pair / common),
               static_cast<std::uint32_t>((config.rotary_dim - 2) / common));
}

/// Where the growth, inverted, is a number of few bits it comes out exact.
template <int N, growing_base Rule>
constexpr void share_rule(const Rule& rule, const rope& config, rope_shared<N>& shared) {
  const exact_factor<N> growth = base_growth<N>(rule, config.seq_len);
  shared.inverse_growth = growth.denominator / growth.numerator;
  shared.log_inverse_growth = log(shared.inverse_growth);
}

/// 1: the rule leaves cosine and sine alone.
template <int N, growing_base Rule>
constexpr enclosure<N> attention_factor_of(const Rule& /*rule*/, std::int64_t /*seq_len*/) {
  return enclosure<N>::of(1);
}

/// Pair 0 is kept, its frequency is 1 with any base; the others are blended, the slowest divided by the whole
/// growth.
template <growing_base Rule>
constexpr treatment treatment_of(const Rule& /*rule*/, int pair, const rope& /*config*/) {
  return pair == 0 ? treatment::kept : treatment::blended;
}

/// `base_growth`, by which the slowest pair is divided.
template <int N, growing_base Rule>
constexpr exact_factor<N> whole_factor(const Rule& rule, const rope& config) {
  return base_growth<N>(rule, config.seq_len);
}

/// Whether the rule promises that frequencies never rise from pair to pair: where the base never shrinks.
constexpr bool never_rises(const dynamic& /*rule*/, const rope& /*config*/) { return true; }
constexpr bool never_rises(const ntk& rule, const rope& /*config*/) { return rule.factor >= 1; }

}  // namespace ropewalk
