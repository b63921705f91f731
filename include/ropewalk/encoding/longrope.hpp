#pragma once
// LongRoPE: a divisor for each pair, from one of two lists, and the attention factor.

#include <cstdint>

#include "ropewalk/config/longrope.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Whether longrope takes its long list: strictly beyond the original length.
constexpr bool takes_long_list(const longrope& rule, std::int64_t seq_len) {
  return static_cast<double>(seq_len) > rule.original_max_position_embeddings;  // exact: below 2^32
}

/// LongRoPE: each frequency divided by its own number.
///
/// source  Ding et al. 2024 (arXiv:2402.13753); `_compute_longrope_parameters` in Hugging Face transformers
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const longrope& rule, int pair,
                                       std::int64_t seq_len) {
  const factor_list& list = takes_long_list(rule, seq_len) ? rule.long_factor : rule.short_factor;
  return enclosure<N>::of(1) / (base_power * enclosure<N>::of(list[pair]));
}

/// What longrope multiplies cosine and sine by: `attention_factor` when given, else the list's mscale, else
/// sqrt(1 + ln factor / ln original length) for a factor above 1; the same for both lists.
template <int N>
constexpr enclosure<N> attention_factor_of(const longrope& rule, std::int64_t seq_len) {
  using real = enclosure<N>;
  if (rule.attention_factor) return real::of(rule.attention_factor.value);
  if (rule.short_mscale)
    return real::of(takes_long_list(rule, seq_len) ? rule.long_mscale.value : rule.short_mscale.value);
  const quotient factor = scale_of(rule);
  if (factor.numerator <= factor.denominator) return real::of(1);
  const real growth = real::of(factor.numerator) / real::of(factor.denominator);
  return square_root(real::of(1) + log(growth) / log(real::of(rule.original_max_position_embeddings)));
}

}  // namespace ropewalk
