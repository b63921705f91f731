#pragma once
// Error bound of an inverse frequency that a kernel forms itself, in binary32, against the encoding's.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/function/exp_log.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"

namespace ropewalk {

namespace detail {

/// Error of a pair's share of a rule's ramp, (at - kept_end) / (divided_end - kept_end), in units of u, where
/// `at` has a relative error of `place_error` u.
template <int N>
double ramp_share_error(const place_on_ramp<N>& place, double place_error) {
  const auto is_single = [](const enclosure<N>& end) {
    return compare(end, enclosure<N>::of(from_bits<float>(round<float>(end.midpoint)))) == order::equal;
  };
  if (place_error == 0 && is_single(place.kept_end) && is_single(place.divided_end)) return 3;
  const double kept = upper_binary64(place.kept_end), divided = upper_binary64(place.divided_end);
  const double over_width = upper_binary64(enclosure<N>::of(1) / (place.divided_end - place.kept_end));
  const double reach = product_up(place_error, std::max(kept, divided));
  return sum_up(product_up(sum_up(reach, sum_up(2 * kept, divided)), over_width), 3);
}

/// Whether a place lies on the ramp, or off it by at most `margin` times the ramp's width.
template <int N>
bool is_near_ramp(const place_on_ramp<N>& place, double margin) {
  const enclosure<N> share = (place.at - place.kept_end) / (place.divided_end - place.kept_end);
  return upper_binary64(share - enclosure<N>::of(0.5)) <= above(0.5 + margin);
}

}  // namespace detail

/// Relative error of a frequency formed in binary32: roundings of the exponent, of the power (to one ulp), of
/// its reciprocal, and of the scaling rule.
///
/// domain  0 <= pair < rotary_dim / 2
/// error   rounded up; proofs/kernel/rotation_bound.md, theorem 12; infinity where its sum passes 1/4
inline double formed_frequency_error(const rope& config, int pair) {
  constexpr int N = 4;
  constexpr double u = unit_roundoff<float>;
  const rope_shared<N> shared = share<N>(config);
  const enclosure<N> base_power = detail::base_power<N>(pair, config, shared);
  const enclosure<N> inv_freq = rope_inv_freq<N>(pair, config, shared);
  if (is_zero(inv_freq.midpoint)) return 0;
  const enclosure<N> one = enclosure<N>::of(1);
  // In units of u. A base that a rule changes counts as one that binary32 does not hold: hence 4 in place of
  // 3, and the logarithm of the power is that of 1 / inv_freq.
  const bool is_rounded_base = static_cast<double>(static_cast<float>(config.base)) != config.base;
  double power = 3 + upper_binary64(log(base_power));
  double rule = 0;
  config.scaling.visit([&](const auto& scaling) {
    if constexpr (requires { base_growth<N>(scaling, config.seq_len); }) {
      power = 4 + upper_binary64(log(one / inv_freq));
    } else if constexpr (requires { place_on_ramp_of<N>(scaling, pair, config, shared); }) {
      rule = 6;
      const place_on_ramp<N> place = place_on_ramp_of<N>(scaling, pair, config, shared);
      // Llama 3 forms the place from the frequency, with six more roundings; YaRN's is the exact pair index.
      const bool is_pair = scaling.name == yarn::name;
      const double share =
          detail::ramp_share_error(place, is_pair ? 0 : power + (is_rounded_base ? 1 : 0) + 6);
      if (!detail::is_near_ramp(place, share * u)) return;
      const double factor = factor_of(config.scaling);
      const double kept_part = std::abs(1 - 1 / factor);
      const double amplified = upper_binary64(one / (base_power * inv_freq));
      rule += detail::product_up(detail::product_up(detail::above(kept_part), share), amplified);
    } else if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(scaling)>, unscaled>) {
      rule = 2;
    }
  });
  const double sum = detail::product_up(detail::sum_up(power + (is_rounded_base ? 1 : 0), rule), u);
  return sum <= 0.25 ? detail::product_up(sum, 1 + 2 * sum) : std::numeric_limits<double>::infinity();
}

/// The same of a pair on axes. Frequencies of an axis's own are those of an embedding of its channels and
/// its rule. Infinity where no derivation covers how engines form them: in parts of a turn, from a first to a
/// last one, listed, shared beside pairs that stand still, and where an index has a scale or an offset.
///
/// domain  0 <= pair < rotary_dim / 2
inline double formed_frequency_error(const placed_rope& config, int pair) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const pair_axis at = axis_of(pair, config.axes, config.encoding);
  if (at.is_still()) return 0;
  const auto axis = static_cast<std::size_t>(at.axis);
  if (config.coordinates[axis] != coordinate{}) return unknown;
  if (config.axes.frequencies_of != axis_frequencies::own)
    return config.axes.still_pairs == 0 ? formed_frequency_error(config.encoding, at.frequency) : unknown;
  const rotary_axis& own = config.axes.axis[axis];
  if (own.turn.rule != spacing::of_base) return unknown;
  rope of_axis = config.encoding;
  of_axis.rotary_dim = 2 * pairs_of_axis(at.axis, config.axes, config.encoding);
  of_axis.scaling = own.scaling;
  return formed_frequency_error(of_axis, at.frequency);
}

/// The same of a sinusoid's frequency base^-x, x = pair / (floor(d_model / 2) - shift), without its scale:
/// formed as exp of -x ln base, or as a power and its reciprocal.
///
/// domain  0 <= pair < floor(d_model / 2)
/// error   rounded up; proofs/kernel/rotation_bound.md, theorem 16; infinity where its sum passes 1/4
inline double formed_frequency_error(const sinusoidal& config, int pair) {
  if (pair == 0) return 0;
  constexpr int N = 4;
  constexpr double u = unit_roundoff<float>;
  sinusoidal unscaled = config;
  unscaled.scale = 1;
  const double exponent = upper_binary64(log(sinusoidal_inv_freq<N>(pair, unscaled)));
  const bool is_rounded_base = static_cast<double>(static_cast<float>(config.base)) != config.base;
  const double of_base =
      is_rounded_base ? detail::quotient_up(pair, detail::below(pair_count(config) - config.shift)) : 0;
  const double sum =
      detail::product_up(detail::sum_up(detail::sum_up(detail::product_up(5, exponent), 3), of_base), u);
  return sum <= 0.25 ? detail::product_up(sum, 1 + 2 * sum) : std::numeric_limits<double>::infinity();
}

}  // namespace ropewalk
