#pragma once
// The context-extension rules in numbers of any precision, as their papers and docs state them: what each
// rule multiplies an inverse frequency by, and the attention factor. Written apart from the enclosures, so
// that each can judge the other.

#include <algorithm>
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

/// Factor of a frequency that a ramp blends: 1 where share is 0, 1 / factor where it is 1.
template <real_number Number>
Number blended(Number share, double factor) {
  if (share < 0) share = 0;
  if (share > 1) share = 1;
  return (1 - share) + share / Number(factor);
}

template <real_number Number>
Number scale_by(const llama3& rule, const Number& unscaled_inv_freq) {
  // Wavelengths that fit into the original length: the rule's three bands are a ramp over them, clamped.
  const Number fits = Number(rule.original_max_position_embeddings) * unscaled_inv_freq / (2 * pi<Number>());
  const Number low = rule.low_freq_factor;
  const Number high = rule.high_freq_factor;
  const Number kept = (fits - low) / (high - low);
  return blended<Number>(1 - kept, rule.factor);
}

template <real_number Number>
Number scale_by(const yarn& rule, int pair, const rope& config) {
  const yarn_ramp<Number> ramp = yarn_ramp_of<Number>(rule, config.base, config.rotary_dim);
  return blended<Number>((pair - ramp.low) / (ramp.high - ramp.low), rule.factor);
}

template <real_number Number>
Number inv_freq_scale(int pair, const rope& config, const Number& unscaled_inv_freq) {
  switch (config.scaling.rule) {
    case scaling_rule::none: break;
    case scaling_rule::linear: return 1 / Number(config.scaling.as_linear.factor);
    case scaling_rule::llama3: return scale_by<Number>(config.scaling.as_llama3, unscaled_inv_freq);
    case scaling_rule::yarn: return scale_by<Number>(config.scaling.as_yarn, pair, config);
  }
  return Number(1);
}

/// g(s, m) of YaRN's attention factor.
template <real_number Number>
Number yarn_mscale(double factor, double mscale) {
  if (factor <= 1) return Number(1);
  const Number log_factor = log(Number(factor));
  return Number(mscale) / 10 * log_factor + 1;
}

template <real_number Number>
Number attention_factor_of(const rope_scaling& scaling) {
  if (scaling.rule != scaling_rule::yarn) return Number(1);
  const yarn& rule = scaling.as_yarn;
  if (rule.attention_factor) return Number(rule.attention_factor.value);
  const double mscale = rule.mscale.value_or(0);
  const double mscale_all_dim = rule.mscale_all_dim.value_or(0);
  if (mscale == 0 || mscale_all_dim == 0) return yarn_mscale<Number>(rule.factor, 1);
  return yarn_mscale<Number>(rule.factor, mscale) / yarn_mscale<Number>(rule.factor, mscale_all_dim);
}

}  // namespace detail
}  // namespace ropewalk::reference
