#pragma once
// xPos as exact values: a rotation, multiplied by z_i^exponent in queries and divided by it in keys. A score
// then falls geometrically with the distance. Sun et al. 2022 (arXiv:2212.10554). Nothing is rounded here:
// values are enclosures of N limbs.

#include <cstdint>
#include <numeric>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/xpos.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/rational.hpp"

namespace ropewalk {

/// Largest |exponent| = |position + offset| / scale_base that `xpos_scale` takes.
inline constexpr std::int64_t largest_xpos_exponent = std::int64_t{1} << 19;

/// z of one pair: (2 pair + 0.4 rotary_dim) / (1.4 rotary_dim), from 2/7 for the fastest pair to below 1.
///
/// domain  0 <= pair < rotary_dim / 2
/// error   exact
/// throws  std::invalid_argument naming the field and its value
/// source  Sun et al. 2022, sec. 3.1 (zeta_i, gamma = 0.4); `scale` in torchscale's xpos_relative_position.py
constexpr rational<1> xpos_base(int pair, const xpos& config) {
  validate(config);
  detail::validate_pair(pair, rotary_part(config));
  return rational<1>::of(10 * pair + 2 * config.rotary_dim) / rational<1>::of(7 * config.rotary_dim);
}

/// Offset added to a position to form the exponent: floor(-length / 2).
constexpr std::int64_t xpos_offset(const xpos& config) { return -((config.length + 1) / 2); }

namespace detail {

constexpr std::int64_t xpos_steps(std::int64_t position, xpos_side side, const xpos& config) {
  require(position >= smallest_position && position <= largest_position, "position",
          static_cast<double>(position), "a position from -2147483648 to 2147483647");
  const std::int64_t steps = position + xpos_offset(config);
  require((steps < 0 ? -steps : steps) <= largest_xpos_exponent * config.scale_base, "position",
          static_cast<double>(position), "a position within 2^19 scale_base of the middle");
  return side == xpos_side::query ? steps : -steps;
}

}  // namespace detail

/// Scale of the rotation of one pair: z^((position + floor(-length / 2)) / scale_base) in queries, its
/// reciprocal in keys.
///
/// shape   scalar
/// units   none
/// domain  any signed 32-bit position within 2^19 scale_base of the middle, 0 <= pair < rotary_dim / 2
/// error   carried by the enclosure; exact where the scale has at most 53 bits and N limbs hold its powers
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr enclosure<N> xpos_scale(int pair, std::int64_t position, xpos_side side, const xpos& config) {
  const rational<1> z = xpos_base(pair, config);
  const std::int64_t steps = detail::xpos_steps(position, side, config);
  const auto size = static_cast<std::uint64_t>(steps < 0 ? -steps : steps);
  const std::uint64_t shared = std::gcd(size, static_cast<std::uint64_t>(config.scale_base));
  if (size == 0) return enclosure<N>::of(1);
  // A negative exponent takes the reciprocal while z is still rational: the enclosure then truncates one
  // division, not two.
  const enclosure<N> base = enclose<N>(steps < 0 ? rational<1>::of(1) / z : z);
  return power(base, static_cast<std::uint32_t>(size / shared),
               static_cast<std::uint32_t>(static_cast<std::uint64_t>(config.scale_base) / shared));
}

/// The block of one pair: [cos, -sin; sin, cos], scale included.
///
/// domain, error, throws   as xpos_scale
template <int N>
constexpr pair_rotation<N> xpos_block(int pair, std::int64_t position, xpos_side side, const xpos& config,
                                      bool backward = false) {
  const enclosure<N> scale = xpos_scale<N>(pair, position, side, config);
  const cos_sin<N> unit =
      cos_sin_of_turns(rope_turns<N>(pair, rotary_part(config)) * enclosure<N>::of(position));
  const enclosure<N> sine = scale * unit.sin;
  return {scale * unit.cos, backward ? -sine : sine};
}

}  // namespace ropewalk
