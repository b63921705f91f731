#pragma once
// The context-extension rules in numbers of any precision, as their papers and docs state them: what each
// rule multiplies an inverse frequency by, and the attention factor. Written apart from the enclosures, so
// that each can judge the other.

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/number.hpp"

namespace ropewalk::reference {

/// The pairs between which YaRN's ramp runs: up to `low` a frequency is kept, from `high` on it is divided.
template <real_number Number>
struct yarn_ramp {
  Number low;
  Number high;
};

namespace detail {

/// floor(x), refused where x is so close to an integer that its error could decide.
///
/// throws  std::runtime_error when x is within 2^-128 of an integer
template <real_number Number>
Number decided_floor(const Number& x) {
  const Number nearest = floor(Number(x + Number(0.5)));
  const Number distance = abs(Number(x - nearest));
  if (distance <= ldexp(Number(1), -128)) throw std::runtime_error("yarn: a bound of the ramp is undecided");
  return floor(x);
}

/// The pair whose wavelength fits `rotations` times into the original length: d ln(L / (2 pi n)) / (2 ln b).
template <real_number Number>
Number yarn_correction_pair(double rotations, const yarn& rule, double base, int rotary_dim) {
  const Number ratio = Number(rule.original_max_position_embeddings) / (2 * pi<Number>() * Number(rotations));
  const Number log_ratio = log(ratio);
  const Number log_base = log(Number(base));
  return rotary_dim * log_ratio / (2 * log_base);
}

template <real_number Number>
yarn_ramp<Number> yarn_ramp_of(const yarn& rule, double base, int rotary_dim) {
  Number low = yarn_correction_pair<Number>(rule.beta_fast, rule, base, rotary_dim);
  Number high = yarn_correction_pair<Number>(rule.beta_slow, rule, base, rotary_dim);
  if (rule.truncate) {
    low = decided_floor(low);
    high = -decided_floor(Number(-high));
  }
  if (low < 0) low = 0;
  if (high > rotary_dim - 1) high = rotary_dim - 1;
  // Equal only when both are integers, or the same expression of equal betas: no rounding error decides this.
  if (low == high) high += Number(1) / 1000;
  return {low, high};
}

template <real_number Number>
Number number_of(const quotient& scale) {
  return Number(scale.numerator) / Number(scale.denominator);
}

/// Factor of a frequency that a ramp blends: 1 where share is 0, 1 / factor where it is 1.
template <real_number Number>
Number blended(Number share, const Number& factor) {
  if (share < 0) share = 0;
  if (share > 1) share = 1;
  return (1 - share) + share / factor;
}

/// What dynamic NTK multiplies the base by, to the power rotary_dim / (rotary_dim - 2).
template <real_number Number>
Number base_growth(const dynamic& rule, std::int64_t seq_len) {
  const Number longest = rule.max_position_embeddings;
  const Number length =
      static_cast<double>(seq_len) > rule.max_position_embeddings ? Number(seq_len) : longest;
  return Number(rule.factor) * length / longest - (Number(rule.factor) - 1);
}

/// The frequency of a base that has grown, over that of the base itself.
template <real_number Number>
Number scale_by_base(const Number& growth, int pair, const rope& config) {
  const Number log_growth = log(growth);
  const Number log_factor = log_growth * config.rotary_dim / (config.rotary_dim - 2);  // of the base
  return exp(Number(-log_factor * (2 * pair) / config.rotary_dim));
}

inline const factor_list& list_of(const longrope& rule, std::int64_t seq_len) {
  return static_cast<double>(seq_len) > rule.original_max_position_embeddings ? rule.long_factor
                                                                              : rule.short_factor;
}

template <real_number Number>
Number scale_by(const llama3& rule, const Number& unscaled_inv_freq) {
  // Wavelengths that fit into the original length: the rule's three bands are a ramp over them, clamped.
  const Number fits = Number(rule.original_max_position_embeddings) * unscaled_inv_freq / (2 * pi<Number>());
  const Number low = rule.low_freq_factor;
  const Number high = rule.high_freq_factor;
  const Number kept = (fits - low) / (high - low);
  return blended<Number>(1 - kept, Number(rule.factor));
}

template <real_number Number>
Number scale_by(const yarn& rule, int pair, const rope& config) {
  const yarn_ramp<Number> ramp = yarn_ramp_of<Number>(rule, config.base, config.rotary_dim);
  return blended<Number>((pair - ramp.low) / (ramp.high - ramp.low), number_of<Number>(scale_of(rule)));
}

template <real_number Number>
Number inv_freq_scale(int pair, const rope& config, const Number& unscaled_inv_freq) {
  const rope_scaling& scaling = config.scaling;
  switch (scaling.rule) {
    case scaling_rule::none: break;
    case scaling_rule::linear: return 1 / Number(scaling.as_linear.factor);
    case scaling_rule::dynamic:
      return scale_by_base<Number>(base_growth<Number>(scaling.as_dynamic, config.seq_len), pair, config);
    case scaling_rule::ntk: return scale_by_base<Number>(Number(scaling.as_ntk.factor), pair, config);
    case scaling_rule::llama3: return scale_by<Number>(scaling.as_llama3, unscaled_inv_freq);
    case scaling_rule::yarn: return scale_by<Number>(scaling.as_yarn, pair, config);
    case scaling_rule::longrope: return 1 / Number(list_of(scaling.as_longrope, config.seq_len)[pair]);
    case scaling_rule::proportional:
      if (pair >= scaling.as_proportional.live_pairs) return Number(0);
      return 1 / Number(scaling.as_proportional.factor);
  }
  return Number(1);
}

/// g(s, m) of YaRN's attention factor.
template <real_number Number>
Number yarn_mscale(const quotient& factor, double mscale) {
  if (factor.numerator <= factor.denominator) return Number(1);
  const Number log_factor = log(number_of<Number>(factor));
  return Number(mscale) / 10 * log_factor + 1;
}

template <real_number Number>
Number attention_factor_of(const yarn& rule) {
  if (rule.attention_factor) return Number(rule.attention_factor.value);
  const quotient factor = scale_of(rule);
  const double mscale = rule.mscale.value_or(0);
  const double mscale_all_dim = rule.mscale_all_dim.value_or(0);
  if (mscale == 0 || mscale_all_dim == 0) return yarn_mscale<Number>(factor, 1);
  return yarn_mscale<Number>(factor, mscale) / yarn_mscale<Number>(factor, mscale_all_dim);
}

template <real_number Number>
Number attention_factor_of(const longrope& rule, std::int64_t seq_len) {
  if (rule.attention_factor) return Number(rule.attention_factor.value);
  const bool is_long = static_cast<double>(seq_len) > rule.original_max_position_embeddings;
  if (rule.short_mscale) return Number(is_long ? rule.long_mscale.value : rule.short_mscale.value);
  const quotient factor = scale_of(rule);
  if (factor.numerator <= factor.denominator) return Number(1);
  const Number log_factor = log(number_of<Number>(factor));
  const Number log_length = log(Number(rule.original_max_position_embeddings));
  return sqrt(Number(1 + log_factor / log_length));
}

template <real_number Number>
Number attention_factor_of(const rope& config) {
  const rope_scaling& scaling = config.scaling;
  if (scaling.rule == scaling_rule::yarn) return attention_factor_of<Number>(scaling.as_yarn);
  if (scaling.rule == scaling_rule::longrope)
    return attention_factor_of<Number>(scaling.as_longrope, config.seq_len);
  return Number(1);
}

}  // namespace detail
}  // namespace ropewalk::reference
