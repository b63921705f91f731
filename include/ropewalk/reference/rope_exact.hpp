#pragma once
// Exact values of the rotary numbers that are rational. Only a rational number can be a rounding tie, and no
// number of guard digits decides a tie. Enough guard digits decide every other number.

#include <numeric>
#include <optional>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/rational.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

namespace detail {

/// base^(-2 pair / rotary_dim) if it is rational, that is, if base has an exact root whose degree is the
/// exponent's reduced denominator.
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

}  // namespace detail

/// Whether a pair has frequency 0: a dead pair of `proportional`.
inline bool stands_still(int pair, const rope& config) {
  detail::require_pair(pair, config);
  return config.scaling.is<proportional>() && pair >= config.scaling.as<proportional>().live_pairs;
}

/// The inverse frequency if the formula shows that it is rational, otherwise nullopt.
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

/// The attention factor if it is found to be rational: given, 1, or a quotient of equal terms.
inline std::optional<rational> rope_exact_attention_factor(const rope& config) {
  validate(config);
  return detail::exact_attention_factor(config);
}

}  // namespace ropewalk::reference
