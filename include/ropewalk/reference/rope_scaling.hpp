#pragma once
// The context-extension rules in numbers of any precision, as their papers and documents state them: the
// factor that each rule applies to an inverse frequency, and the attention factor, both also exactly if they
// are rational. They share no code with the enclosures, so that each can be tested against the other. Each
// rule has an overload of each function.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/number.hpp"
#include "ropewalk/reference/rational.hpp"

namespace ropewalk::reference {

/// The pairs between which YaRN's ramp runs: frequencies up to `low` are kept, those from `high` on divided.
template <real_number Number>
struct yarn_ramp {
  Number low;
  Number high;
};

namespace detail {

/// base^(-2 pair / rotary_dim).
template <real_number Number>
Number unscaled_inv_freq(int pair, const rope& config) {
  const Number log_base = log(Number(config.base));
  const Number exponent = -log_base * (2 * pair) / config.rotary_dim;
  return exp(exponent);
}

/// An upper bound on |log2| of a number.
inline int bits_of_size(double size) { return std::abs(std::ilogb(size)) + 1; }

// For comparisons of numbers that are equal, or known to differ by more than the error at this precision.
using comparison_number = widened<boost::multiprecision::cpp_bin_float_100, usual_guard_bits>;

// ---- The factor that a rule applies to an inverse frequency ----

template <real_number Number>
Number inv_freq_scale(const unscaled& /*rule*/, int /*pair*/, const rope& /*config*/,
                      const Number& /*unscaled*/) {
  return Number(1);
}

template <real_number Number>
Number inv_freq_scale(const linear& rule, int /*pair*/, const rope& /*config*/, const Number& /*unscaled*/) {
  return 1 / Number(rule.factor);
}

template <real_number Number>
Number inv_freq_scale(const proportional& rule, int pair, const rope& /*config*/,
                      const Number& /*unscaled*/) {
  if (pair >= rule.live_pairs) return Number(0);
  return 1 / Number(rule.factor);
}

/// Growth g of dynamic NTK, which multiplies the base by g^(rotary_dim / (rotary_dim - 2)).
template <real_number Number>
Number base_growth(const dynamic& rule, std::int64_t seq_len) {
  const Number longest = rule.max_position_embeddings;
  const Number length =
      static_cast<double>(seq_len) > rule.max_position_embeddings ? Number(seq_len) : longest;
  return Number(rule.factor) * length / longest - (Number(rule.factor) - 1);
}

/// The frequency of the grown base divided by the frequency of the base itself.
template <real_number Number>
Number scale_by_base(const Number& growth, int pair, const rope& config) {
  const Number log_growth = log(growth);
  const Number log_factor = log_growth * config.rotary_dim / (config.rotary_dim - 2);  // of the base
  return exp(Number(-log_factor * (2 * pair) / config.rotary_dim));
}

template <real_number Number>
Number inv_freq_scale(const dynamic& rule, int pair, const rope& config, const Number& /*unscaled*/) {
  return scale_by_base<Number>(base_growth<Number>(rule, config.seq_len), pair, config);
}

template <real_number Number>
Number inv_freq_scale(const ntk& rule, int pair, const rope& config, const Number& /*unscaled*/) {
  return scale_by_base<Number>(Number(rule.factor), pair, config);
}

/// floor(x), refused if x is so close to an integer that its error could change the result.
///
/// throws  std::runtime_error if x is within 2^-128 of an integer
template <real_number Number>
Number decided_floor(const Number& x) {
  const Number nearest = floor(Number(x + Number(0.5)));
  const Number distance = abs(Number(x - nearest));
  if (distance <= ldexp(Number(1), -128))
    throw std::runtime_error("yarn: a bound of the ramp is too close to an integer to truncate");
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
  // Equal only if both are integers, or come from equal betas: no rounding error decides this comparison.
  if (low == high) high += Number(1) / 1000;
  return {low, high};
}

template <real_number Number>
Number number_of(const quotient& scale) {
  return Number(scale.numerator) / Number(scale.denominator);
}

/// Factor of a frequency on a ramp, linear in `share`: 1 at share 0, 1 / factor at share 1.
template <real_number Number>
Number blended(Number share, const Number& factor) {
  if (share < 0) share = 0;
  if (share > 1) share = 1;
  return (1 - share) + share / factor;
}

template <real_number Number>
Number inv_freq_scale(const llama3& rule, int /*pair*/, const rope& /*config*/, const Number& unscaled) {
  // Wavelengths that fit into the original length. The rule's three bands are a clamped ramp over them.
  const Number fits = Number(rule.original_max_position_embeddings) * unscaled / (2 * pi<Number>());
  const Number low = rule.low_freq_factor;
  const Number high = rule.high_freq_factor;
  if (low == high) return fits < low ? 1 / Number(rule.factor) : Number(1);
  const Number kept = (fits - low) / (high - low);
  return blended<Number>(1 - kept, Number(rule.factor));
}

template <real_number Number>
Number inv_freq_scale(const yarn& rule, int pair, const rope& config, const Number& /*unscaled*/) {
  const yarn_ramp<Number> ramp = yarn_ramp_of<Number>(rule, config.base, config.rotary_dim);
  return blended<Number>((pair - ramp.low) / (ramp.high - ramp.low), number_of<Number>(scale_of(rule)));
}

inline const factor_list& chosen_list(const longrope& rule, std::int64_t seq_len) {
  return static_cast<double>(seq_len) > rule.original_max_position_embeddings ? rule.long_factor
                                                                              : rule.short_factor;
}

template <real_number Number>
Number inv_freq_scale(const longrope& rule, int pair, const rope& config, const Number& /*unscaled*/) {
  return 1 / Number(chosen_list(rule, config.seq_len)[pair]);
}

// ---- The exact factor, if it is found to be rational ----

inline std::optional<rational> exact_scale(const unscaled& /*rule*/, int /*pair*/, const rope& /*config*/) {
  return rational(1);
}

inline std::optional<rational> exact_scale(const linear& rule, int /*pair*/, const rope& /*config*/) {
  return 1 / rational_of(rule.factor);
}

inline std::optional<rational> exact_scale(const proportional& rule, int pair, const rope& /*config*/) {
  if (pair >= rule.live_pairs) return rational(0);
  return 1 / rational_of(rule.factor);
}

/// Growth g of dynamic NTK, which multiplies the base by g^(rotary_dim / (rotary_dim - 2)).
inline rational exact_growth(const dynamic& rule, std::int64_t seq_len) {
  const rational longest = rational_of(rule.max_position_embeddings), length(seq_len);
  if (length <= longest) return 1;
  const rational factor = rational_of(rule.factor);
  return factor * length / longest - (factor - 1);
}

/// growth^(-2 pair / (rotary_dim - 2)) if numerator and denominator have exact roots of the degree needed.
inline std::optional<rational> exact_root_of(const rational& growth, int pair, const rope& config) {
  if (growth == 1 || pair == 0) return rational(1);
  const int shared = std::gcd(2 * pair, config.rotary_dim - 2);
  const int degree = (config.rotary_dim - 2) / shared;
  const auto above = whole_root(numerator(growth), degree), below = whole_root(denominator(growth), degree);
  if (!above || !below) return std::nullopt;
  const auto power = static_cast<unsigned>(2 * pair / shared);
  return rational(pow(*below, power)) / rational(pow(*above, power));
}

inline std::optional<rational> exact_scale(const dynamic& rule, int pair, const rope& config) {
  return exact_root_of(exact_growth(rule, config.seq_len), pair, config);
}

inline std::optional<rational> exact_scale(const ntk& rule, int pair, const rope& config) {
  return exact_root_of(rational_of(rule.factor), pair, config);
}

inline rational exact_blend(const rational& share, const rational& factor) {
  return 1 - share + share / factor;
}

inline std::optional<rational> exact_scale(const llama3& rule, int pair, const rope& config) {
  if (rule.factor == 1) return rational(1);
  const auto unscaled = unscaled_inv_freq<comparison_number>(pair, config);
  const comparison_number scale = inv_freq_scale<comparison_number>(rule, pair, config, unscaled);
  // pi makes every wavelength transcendental, so none lies on the edge of a band and the clamp is decided.
  if (scale == 1) return rational(1);
  if (scale == 1 / comparison_number(rule.factor)) return 1 / rational_of(rule.factor);
  return std::nullopt;
}

inline std::optional<rational> exact_scale(const yarn& rule, int pair, const rope& config) {
  const rational factor = rational_of(scale_of(rule));
  if (factor == 1) return rational(1);
  const auto ramp = yarn_ramp_of<comparison_number>(rule, config.base, config.rotary_dim);
  const comparison_number share = (pair - ramp.low) / (ramp.high - ramp.low);
  if (share <= 0) return rational(1);
  if (share >= 1) return 1 / factor;
  // An end that is neither truncated nor clamped is irrational: it has the logarithm of a multiple of 1 / pi.
  const bool ends_are_clamped = ramp.low == 0 && ramp.high == config.rotary_dim - 1;
  if (!rule.truncate && !ends_are_clamped) return std::nullopt;
  const rational low(ramp.low.convert_to<int>());
  const rational high(round(ramp.high).convert_to<int>());
  const rational width = high == low ? rational(1, 1000) : rational(high - low);
  return exact_blend((pair - low) / width, factor);
}

inline std::optional<rational> exact_scale(const longrope& rule, int pair, const rope& config) {
  return 1 / rational_of(chosen_list(rule, config.seq_len)[pair]);
}

// ---- Bits by which a rule may change a frequency: a bound on |log2| of its largest divisor ----

inline int scale_bits(const unscaled& /*rule*/, const rope& /*config*/) { return 0; }
inline int scale_bits(const linear& rule, const rope& /*config*/) { return bits_of_size(rule.factor); }
inline int scale_bits(const proportional& rule, const rope& /*config*/) { return bits_of_size(rule.factor); }
inline int scale_bits(const dynamic& rule, const rope& /*config*/) {
  // The growth is below 1 + factor x seq_len / longest.
  return bits_of_size(rule.factor) + bits_of_size(rule.max_position_embeddings) + 34;
}
inline int scale_bits(const ntk& rule, const rope& /*config*/) { return bits_of_size(rule.factor); }
inline int scale_bits(const llama3& rule, const rope& /*config*/) { return bits_of_size(rule.factor); }
inline int scale_bits(const yarn& rule, const rope& /*config*/) {
  const quotient scale = scale_of(rule);
  return bits_of_size(scale.numerator) + bits_of_size(scale.denominator);
}
inline int scale_bits(const longrope& rule, const rope& config) {
  int most = 0;
  const factor_list& list = chosen_list(rule, config.seq_len);
  for (int pair = 0; pair < list.count; ++pair) most = std::max(most, bits_of_size(list[pair]));
  return most;
}

// ---- The attention factor, also exactly if it is rational: given, 1, or a quotient of equal terms ----

/// A rule whose attention factor is 1.
template <class Rule>
concept without_attention =
    (index_of<Rule, type_list<unscaled, linear, proportional, dynamic, ntk, llama3>> >= 0);

template <real_number Number, without_attention Rule>
Number attention_factor_of(const Rule& /*rule*/, std::int64_t /*seq_len*/) {
  return Number(1);
}

/// The function g(s, m) in YaRN's attention factor.
template <real_number Number>
Number yarn_mscale(const quotient& factor, double mscale) {
  if (factor.numerator <= factor.denominator) return Number(1);
  const Number log_factor = log(number_of<Number>(factor));
  return Number(mscale) / 10 * log_factor + 1;
}

template <real_number Number>
Number attention_factor_of(const yarn& rule, std::int64_t /*seq_len*/) {
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

inline bool has_no_stretch(const quotient& scale) { return scale.numerator <= scale.denominator; }

template <without_attention Rule>
std::optional<rational> exact_attention_factor(const Rule& /*rule*/, std::int64_t /*seq_len*/) {
  return rational(1);
}

inline std::optional<rational> exact_attention_factor(const yarn& rule, std::int64_t /*seq_len*/) {
  if (rule.attention_factor) return rational_of(rule.attention_factor.value);
  const double mscale = rule.mscale.value_or(0);
  const double mscale_all_dim = rule.mscale_all_dim.value_or(0);
  if (has_no_stretch(scale_of(rule)) || (mscale != 0 && mscale == mscale_all_dim)) return rational(1);
  return std::nullopt;
}

inline std::optional<rational> exact_attention_factor(const longrope& rule, std::int64_t seq_len) {
  const bool is_long = static_cast<double>(seq_len) > rule.original_max_position_embeddings;
  const given<double> mscale = is_long ? rule.long_mscale : rule.short_mscale;
  if (rule.attention_factor) return rational_of(rule.attention_factor.value);
  if (mscale) return rational_of(mscale.value);
  if (has_no_stretch(scale_of(rule))) return rational(1);
  return std::nullopt;
}

// ---- Functions of a configuration's rule ----

template <real_number Number>
Number inv_freq_scale(int pair, const rope& config, const Number& unscaled) {
  return config.scaling.visit(
      [&](const auto& rule) { return inv_freq_scale<Number>(rule, pair, config, unscaled); });
}

inline std::optional<rational> exact_scale(int pair, const rope& config) {
  return config.scaling.visit([&](const auto& rule) { return exact_scale(rule, pair, config); });
}

inline int scale_bits(const rope& config) {
  return config.scaling.visit([&](const auto& rule) { return scale_bits(rule, config); });
}

template <real_number Number>
Number attention_factor_of(const rope& config) {
  return config.scaling.visit(
      [&](const auto& rule) { return attention_factor_of<Number>(rule, config.seq_len); });
}

inline std::optional<rational> exact_attention_factor(const rope& config) {
  return config.scaling.visit([&](const auto& rule) { return exact_attention_factor(rule, config.seq_len); });
}

}  // namespace detail
}  // namespace ropewalk::reference
