#pragma once
// The skewed map as exact values: out[c] = x[c] cos t[c] -+ x[p] sin t[c], where p is the partner of channel
// c; t[c] and t[p] may differ. The sign is - for the first channel of a pair of partners and + for the
// second.

#include <cstddef>
#include <span>
#include <vector>

#include "ropewalk/config/skewed_map.hpp"
#include "ropewalk/encoding/rope_axes.hpp"

namespace ropewalk {

/// The map of one pair of partners with angles u and v: rows (cos u, -sin u) and (sin v, cos v).
///
/// error   carried by the enclosures
template <int N>
struct skewed_pair {
  cos_sin<N> first{};   // of the angle u, at the first channel
  cos_sin<N> second{};  // of the angle v, at the second

  /// cos(u - v): 0 if the pair's map has no inverse.
  constexpr enclosure<N> determinant() const { return first.cos * second.cos + first.sin * second.sin; }
  /// sin(u - v). The singular values are sqrt(1 + |sin(u - v)|) and sqrt(1 - |sin(u - v)|).
  constexpr enclosure<N> skew() const { return first.sin * second.cos - first.cos * second.sin; }
};

/// The map of one pair of partners, for a token.
///
/// shape   positions [axes]
/// domain  0 <= partners < rotary_dim / 2; any finite positions
/// throws  std::invalid_argument naming the field and its value
template <int N, class Positions>
constexpr skewed_pair<N> skewed_pair_of(int partners, const Positions& positions, const skewed_map& config) {
  validate(config);
  const channel_pair at = channels_of(partners, config.axes, config.encoding, config.partners);
  const auto at_channel = [&](int channel) {
    const int pair = pair_of_channel(channel, config.axes, config.encoding, config.angles);
    const pair_rotation<N> block = rope_axes_block<N>(pair, positions, config.axes, config.encoding);
    return cos_sin<N>{block.cos, block.sin};
  };
  return {at_channel(at.first), at_channel(at.second)};
}

/// Applies the map to a head's channels.
///
/// shape   x, result [rotary_dim]
/// domain, throws   as skewed_pair_of
template <int N, class Positions>
std::vector<enclosure<N>> skewed(std::span<const enclosure<N>> x, const Positions& positions,
                                 const skewed_map& config) {
  std::vector<enclosure<N>> enclosures(x.begin(), x.end());
  for (int partners = 0; partners < pair_count(config.encoding); ++partners) {
    const channel_pair at = channels_of(partners, config.axes, config.encoding, config.partners);
    const auto first = static_cast<std::size_t>(at.first), second = static_cast<std::size_t>(at.second);
    const skewed_pair<N> skewed = skewed_pair_of<N>(partners, positions, config);
    enclosures[first] = x[first] * skewed.first.cos - x[second] * skewed.first.sin;
    enclosures[second] = x[first] * skewed.second.sin + x[second] * skewed.second.cos;
  }
  return enclosures;
}

}  // namespace ropewalk
