#pragma once
// The rotary numbers that are rational, found exactly. Only a rational can be a tie of rounding, and no
// number of guard digits ever decides a tie; every other number is decided by enough of them.

#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

using rational = boost::multiprecision::cpp_rational;

namespace detail {

using whole_number = boost::multiprecision::cpp_int;

/// A finite number other than 0 as odd x 2^exponent.
struct odd_part {
  std::int64_t odd;
  int exponent;
};

inline odd_part odd_part_of(double value) {
  int exponent = 0;
  auto odd = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  for (; odd % 2 == 0; odd /= 2) ++exponent;
  return {odd, exponent};
}

inline rational power_of_two(int exponent) {
  const whole_number size = whole_number(1) << std::abs(exponent);
  return exponent >= 0 ? rational(size) : rational(whole_number(1), size);
}

inline rational rational_of(double value) {
  if (value == 0) return 0;
  const odd_part parts = odd_part_of(value);
  return rational(parts.odd) * power_of_two(parts.exponent);
}

/// The whole number whose degree-th power `odd` is, if there is one; odd >= 1 and below 2^53.
inline std::optional<std::int64_t> exact_root(std::int64_t odd, int degree) {
  if (odd == 1 || degree == 1) return odd;
  if (degree > 53) return std::nullopt;
  const auto nearby =
      static_cast<std::int64_t>(std::llround(std::pow(static_cast<double>(odd), 1.0 / degree)));
  for (std::int64_t root = nearby - 1; root <= nearby + 1; ++root)
    if (root >= 1 && pow(whole_number(root), static_cast<unsigned>(degree)) == odd) return root;
  return std::nullopt;
}

/// base^(-2 pair / rotary_dim) where it is rational: base is a perfect power of the reduced exponent's degree.
inline std::optional<rational> exact_unscaled_inv_freq(int pair, const rope& config) {
  if (pair == 0) return rational(1);
  const int shared = std::gcd(2 * pair, config.rotary_dim);
  const int degree = config.rotary_dim / shared;
  const auto power = static_cast<unsigned>(2 * pair / shared);
  const odd_part base = odd_part_of(config.base);
  const std::optional<std::int64_t> root = exact_root(base.odd, degree);
  if (!root || base.exponent % degree != 0) return std::nullopt;
  const int exponent = base.exponent / degree * static_cast<int>(power);
  return power_of_two(-exponent) / rational(pow(whole_number(*root), power));
}

inline rational rational_of(const quotient& scale) {
  return rational_of(scale.numerator) / rational_of(scale.denominator);
}

inline rational exact_blend(const rational& share, const rational& factor) {
  return 1 - share + share / factor;
}

using comparison_number = widened<boost::multiprecision::cpp_bin_float_100, usual_guard_bits>;

inline std::optional<rational> exact_scale(const llama3& rule, int pair, const rope& config) {
  if (rule.factor == 1) return rational(1);
  const auto unscaled =
      inv_freq<comparison_number>(pair, rope{.base = config.base, .rotary_dim = config.rotary_dim});
  const comparison_number scale = scale_by<comparison_number>(rule, unscaled);
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
  // An end that is neither truncated nor clamped has the logarithm of a number with pi in it.
  const bool ends_are_clamped = ramp.low == 0 && ramp.high == config.rotary_dim - 1;
  if (!rule.truncate && !ends_are_clamped) return std::nullopt;
  const rational low(ramp.low.convert_to<int>());
  const rational high(round(ramp.high).convert_to<int>());
  const rational width = high == low ? rational(1, 1000) : rational(high - low);
  return exact_blend((pair - low) / width, factor);
}

/// The whole number whose degree-th power `size` is, if there is one; by bisection of its bits.
inline std::optional<whole_number> whole_root(const whole_number& size, int degree) {
  whole_number root = 0;
  for (int bit = static_cast<int>(msb(size)) / degree; bit >= 0; --bit) {
    bit_set(root, static_cast<unsigned>(bit));
    if (pow(root, static_cast<unsigned>(degree)) > size) bit_unset(root, static_cast<unsigned>(bit));
  }
  if (pow(root, static_cast<unsigned>(degree)) != size) return std::nullopt;
  return root;
}

/// What dynamic NTK multiplies the base by, to the power rotary_dim / (rotary_dim - 2).
inline rational exact_growth(const dynamic& rule, std::int64_t seq_len) {
  const rational longest = rational_of(rule.max_position_embeddings), length(seq_len);
  if (length <= longest) return 1;
  const rational factor = rational_of(rule.factor);
  return factor * length / longest - (factor - 1);
}

/// growth^(-2 pair / (rotary_dim - 2)) where numerator and denominator are perfect powers.
inline std::optional<rational> exact_root_of(const rational& growth, int pair, const rope& config) {
  if (growth == 1 || pair == 0) return rational(1);
  const int shared = std::gcd(2 * pair, config.rotary_dim - 2);
  const int degree = (config.rotary_dim - 2) / shared;
  const auto above = whole_root(numerator(growth), degree), below = whole_root(denominator(growth), degree);
  if (!above || !below) return std::nullopt;
  const auto power = static_cast<unsigned>(2 * pair / shared);
  return rational(pow(*below, power)) / rational(pow(*above, power));
}

inline std::optional<rational> exact_scale(int pair, const rope& config) {
  const rope_scaling& scaling = config.scaling;
  switch (scaling.rule) {
    case scaling_rule::none: break;
    case scaling_rule::linear: return 1 / rational_of(scaling.as_linear.factor);
    case scaling_rule::dynamic:
      return exact_root_of(exact_growth(scaling.as_dynamic, config.seq_len), pair, config);
    case scaling_rule::ntk: return exact_root_of(rational_of(scaling.as_ntk.factor), pair, config);
    case scaling_rule::llama3: return exact_scale(scaling.as_llama3, pair, config);
    case scaling_rule::yarn: return exact_scale(scaling.as_yarn, pair, config);
    case scaling_rule::longrope: return 1 / rational_of(list_of(scaling.as_longrope, config.seq_len)[pair]);
    case scaling_rule::proportional: return 1 / rational_of(scaling.as_proportional.factor);
  }
  return rational(1);
}

}  // namespace detail

/// Whether a pair never turns: a dead pair of `proportional`.
inline bool stands_still(int pair, const rope& config) {
  detail::require_pair(pair, config);
  return config.scaling.rule == scaling_rule::proportional &&
         pair >= config.scaling.as_proportional.live_pairs;
}

/// The inverse frequency where the formula shows it to be rational, nothing where it does not.
///
/// units   radians per position
/// throws  as rope_inv_freq
inline std::optional<rational> rope_exact_inv_freq(int pair, const rope& config) {
  if (stands_still(pair, config)) return rational(0);
  const std::optional<rational> unscaled = detail::exact_unscaled_inv_freq(pair, config);
  const std::optional<rational> scale = unscaled ? detail::exact_scale(pair, config) : std::nullopt;
  if (!scale) return std::nullopt;
  return *unscaled * *scale;
}

/// The attention factor where it is seen to be rational: given, 1, or a quotient of equal terms.
inline std::optional<rational> rope_exact_attention_factor(const rope& config) {
  validate(config);
  const rope_scaling& scaling = config.scaling;
  const auto has_no_stretch = [](const quotient& scale) { return scale.numerator <= scale.denominator; };
  if (scaling.rule == scaling_rule::longrope) {
    const longrope& rule = scaling.as_longrope;
    const bool is_long = static_cast<double>(config.seq_len) > rule.original_max_position_embeddings;
    const given<double> mscale = is_long ? rule.long_mscale : rule.short_mscale;
    if (rule.attention_factor) return detail::rational_of(rule.attention_factor.value);
    if (mscale) return detail::rational_of(mscale.value);
    if (has_no_stretch(scale_of(rule))) return rational(1);
    return std::nullopt;
  }
  if (scaling.rule != scaling_rule::yarn) return rational(1);
  const yarn& rule = scaling.as_yarn;
  if (rule.attention_factor) return detail::rational_of(rule.attention_factor.value);
  const double mscale = rule.mscale.value_or(0);
  const double mscale_all_dim = rule.mscale_all_dim.value_or(0);
  if (has_no_stretch(scale_of(rule)) || (mscale != 0 && mscale == mscale_all_dim)) return rational(1);
  return std::nullopt;
}

}  // namespace ropewalk::reference
