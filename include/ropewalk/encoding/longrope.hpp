#pragma once
// LongRoPE: a divisor for each pair, from one of two lists, and the attention factor.

#include <cstdint>

#include "ropewalk/config/longrope.hpp"
#include "ropewalk/encoding/rope_shared.hpp"
#include "ropewalk/encoding/treatment.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Whether the long list is in use: strictly beyond the original length.
constexpr bool takes_long_list(const longrope& rule, std::int64_t seq_len) {
  return static_cast<double>(seq_len) > rule.original_max_position_embeddings;  // exact: seq_len <= 2^31
}

/// The list in use for sequences of this length.
constexpr const factor_list& list_of(const longrope& rule, std::int64_t seq_len) {
  return takes_long_list(rule, seq_len) ? rule.long_factor : rule.short_factor;
}

/// LongRoPE: the frequency divided by the pair's number in the list in use.
///
/// source  Ding et al. 2024 (arXiv:2402.13753); `_compute_longrope_parameters` in Hugging Face transformers
template <int N>
constexpr enclosure<N> scaled_inv_freq(const enclosure<N>& base_power, const longrope& rule, int pair,
                                       const rope& config, const rope_shared<N>& /*shared*/) {
  return enclosure<N>::of(1) / (base_power * enclosure<N>::of(list_of(rule, config.seq_len)[pair]));
}

/// Divisor of the pair's frequency: its number in the list in use.
///
/// domain  0 <= pair < the length of the list
/// error   none
template <int N>
constexpr enclosure<N> frequency_divisor(const longrope& rule, int pair, const rope& config,
                                         const rope_shared<N>& /*shared*/) {
  return enclosure<N>::of(list_of(rule, config.seq_len)[pair]);
}

/// Leaves `shared` as it is: every pair has its own divisor.
template <int N>
constexpr void share_rule(const longrope& /*rule*/, const rope& /*config*/, rope_shared<N>& /*shared*/) {}

/// Factor of cosine and sine: `attention_factor` if given, else the mscale of the list in use if given.
///
/// Otherwise it is sqrt(1 + ln factor / ln original length) for a factor above 1, else 1, for both lists.
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

/// `replaced` for every pair: each has its own divisor, which may be 1.
constexpr treatment treatment_of(const longrope& /*rule*/, int /*pair*/, const rope& /*config*/) {
  return treatment::replaced;
}

/// 1: no single factor divides the pairs.
template <int N>
constexpr exact_factor<N> whole_factor(const longrope& /*rule*/, const rope& /*config*/) {
  return {};
}

/// Whether the rule guarantees that frequencies never rise from pair to pair: if the list in use never falls.
constexpr bool never_rises(const longrope& rule, const rope& config) {
  const factor_list& list = list_of(rule, config.seq_len);
  for (int pair = 1; pair < list.count; ++pair)
    if (list[pair] < list[pair - 1]) return false;
  return true;
}

}  // namespace ropewalk
