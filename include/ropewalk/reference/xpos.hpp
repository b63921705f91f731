#pragma once
// xPos in Boost.Multiprecision numbers of any precision, written from torchscale's code: the second,
// independent definition. Sun et al. 2022 (arXiv:2212.10554).

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "ropewalk/config/xpos.hpp"
#include "ropewalk/reference/rational.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

namespace detail {

/// Numerator of a query's exponent, position / scale_base, with positions counted from the middle.
inline std::int64_t xpos_steps(std::int64_t position, const xpos& config) {
  // Python's -length // 2.
  const std::int64_t min_pos = config.length % 2 == 0 ? -config.length / 2 : -(config.length / 2) - 1;
  return min_pos + position;
}

/// Scale of one pair: (arange(0, head_dim, 2) + 0.4 head_dim) / (1.4 head_dim), to the power (min_pos +
/// position) / scale_base for a query, and its reciprocal for a key.
template <real_number Number>
Number xpos_scale(int pair, std::int64_t position, xpos_side side, const xpos& config) {
  const Number dim = config.rotary_dim;
  const Number scale = (Number(2 * pair) + dim * 4 / 10) / (dim * 14 / 10);
  const Number exponent = Number(xpos_steps(position, config)) / config.scale_base;
  const Number grown = exp(Number(log(scale) * exponent));
  return side == xpos_side::query ? grown : Number(1 / grown);
}

}  // namespace detail

/// Largest exponent of a rational scale. The last digit of (n / d)^k, n / d between 2/7 and 7/2 and not 1,
/// stands at least k log10 2 digits after its first.
inline constexpr std::int64_t most_exact_power = 8192;

/// The scale of one pair if it is rational, otherwise nullopt: z = n / d in lowest terms, to the power k / m
/// in lowest terms, is rational where n and d have whole roots of degree m. Also nullopt for k above
/// most_exact_power: no such power ends within twice the largest number of digits.
///
/// throws  std::invalid_argument naming the field and its value
inline std::optional<rational> xpos_exact_scale(int pair, std::int64_t position, xpos_side side,
                                                const xpos& config) {
  validate(config);
  detail::require_pair(pair, rotary_part(config));
  const std::int64_t steps = detail::xpos_steps(position, config);
  if (steps == 0) return rational(1);
  const std::int64_t shared = std::gcd(steps, std::int64_t{config.scale_base});
  const auto degree = static_cast<int>(config.scale_base / shared);
  if (std::abs(steps / shared) > most_exact_power) return std::nullopt;
  const auto power = static_cast<unsigned>(std::abs(steps / shared));
  const std::int64_t dim = config.rotary_dim, above = 10 * std::int64_t{pair} + 2 * dim, below = 7 * dim;
  const std::int64_t common = std::gcd(above, below);
  const auto root_above = detail::exact_root(above / common, degree),
             root_below = detail::exact_root(below / common, degree);
  if (!root_above || !root_below) return std::nullopt;
  const rational grown(pow(detail::whole_number(*root_above), power),
                       pow(detail::whole_number(*root_below), power));
  return (steps > 0) == (side == xpos_side::query) ? grown : 1 / grown;
}

/// Cosine and sine of one pair, scale included.
///
/// shape   scalars
/// domain  0 <= pair < rotary_dim / 2
/// error   below 2^-digits of Number, relative to the scale
/// throws  std::invalid_argument naming the field and its value
/// source  `XPOS` in torchscale's xpos_relative_position.py
template <real_number Number>
cos_sin<Number> xpos_cos_sin(std::int64_t position, int pair, xpos_side side, const xpos& config) {
  validate(config);
  const rope rotary = rotary_part(config);
  detail::require_pair(pair, rotary);
  const int guard = detail::guard_bits(position, rotary) + 64;
  const auto evaluate = [&](auto member) {
    return detail::with_guard_bits<Number>(guard, [&]<class Wide>() {
      const cos_sin<Wide> unit = detail::rotation<Wide>(position, pair, rotary);
      return Wide(member(unit) * detail::xpos_scale<Wide>(pair, position, side, config));
    });
  };
  return {evaluate([](const auto& unit) { return unit.cos; }),
          evaluate([](const auto& unit) { return unit.sin; })};
}

}  // namespace ropewalk::reference
