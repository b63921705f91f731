#pragma once
// Error bound of an inverse frequency that a kernel forms itself in binary32, relative to the encoding's. In
// binary64 the error is less than 2^-29 of it: see formed_error.

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

/// S (1 + 2S): the higher orders of a sum S of roundings, in units of u; infinity if S exceeds 1/4.
constexpr double with_higher_orders(double sum_in_u) {
  const double sum = product_up(sum_in_u, unit_roundoff<float>);
  return sum <= 0.25 ? product_up(sum, 1 + 2 * sum) : std::numeric_limits<double>::infinity();
}

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

/// Whether a place is on the ramp, or off it by at most `margin` times the ramp's width.
template <int N>
bool is_near_ramp(const place_on_ramp<N>& place, double margin) {
  const enclosure<N> share = (place.at - place.kept_end) / (place.divided_end - place.kept_end);
  return upper_binary64(share - enclosure<N>::of(0.5)) <= above(0.5 + margin);
}

/// Roundings of 1 / base^e without those of e, in units of u: the power's, to one ulp, and its reciprocal's.
/// A kernel that multiplies from pair to pair has these and the product's once per earlier pair.
constexpr double roundings_of_power(ropewalk_part formed, int pairs_before) {
  return formed == ROPEWALK_PART_REPEATED_F32 ? 4. * pairs_before : 3;
}

/// ln 2^126, rounded down: beyond this power of the base, repeated products in binary32 underflow.
inline constexpr double largest_repeated_logarithm = 87.3;

}  // namespace detail

/// Relative error of a frequency formed in binary32: roundings of the exponent, of the power (to one ulp), of
/// its reciprocal, and of the scaling rule; formed alone or from the previous pair.
///
/// domain  0 <= pair < rotary_dim / 2; `formed` matters only if it is ROPEWALK_PART_REPEATED_F32:
///         `pairs_before` pairs of the head were multiplied before this one
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 12 and 20; infinity if the sum exceeds 1/4
///         or repeated products underflow
inline double formed_frequency_error(const rope& config, int pair, ropewalk_part formed, int pairs_before) {
  constexpr int N = 4;
  constexpr double u = unit_roundoff<float>;
  const rope_shared<N> shared = share<N>(config);
  const enclosure<N> base_power = detail::base_power<N>(pair, config, shared);
  const enclosure<N> inv_freq = rope_inv_freq<N>(pair, config, shared);
  if (is_zero(inv_freq.midpoint)) return 0;
  const enclosure<N> bounds = enclosure<N>::of(1);
  // In units of u. A base changed by a rule counts as not representable in binary32, hence 1 more; the
  // logarithm of the power is that of 1 / inv_freq.
  const bool is_rounded_base = static_cast<double>(static_cast<float>(config.base)) != config.base;
  const bool is_repeated = formed == ROPEWALK_PART_REPEATED_F32;
  const double roundings = detail::roundings_of_power(formed, pairs_before);
  double logarithm = upper_binary64(log(base_power));
  double power = roundings + logarithm;
  double rule = 0;
  config.scaling.visit([&](const auto& scaling) {
    if constexpr (requires { base_growth<N>(scaling, config.seq_len); }) {
      logarithm = upper_binary64(log(bounds / inv_freq));
      power = 1 + roundings + logarithm;
      rule = is_repeated ? 2 : 0;  // the power of the original base, divided by a number
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
      const double amplified = upper_binary64(bounds / (base_power * inv_freq));
      rule += detail::product_up(detail::product_up(detail::above(kept_part), share), amplified);
    } else if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(scaling)>, unscaled>) {
      rule = 2;
    }
  });
  if (is_repeated && logarithm > detail::largest_repeated_logarithm)
    return std::numeric_limits<double>::infinity();
  return detail::with_higher_orders(detail::sum_up(power + (is_rounded_base ? 1 : 0), rule));
}

/// The same for a head whose pairs are all on one axis.
inline double formed_frequency_error(const rope& config, int pair, ropewalk_part formed = ROPEWALK_PART_F32) {
  return formed_frequency_error(config, pair, formed, pair);
}

/// Error from a rule's own numbers if these are formed in binary64, too: the base of dynamic NTK, and the
/// ends of YaRN's ramp if not truncated. Code in binary32 takes these from binary64, rounded once.
///
/// units   as formed_frequency_error: each rounding counts as one of binary32
/// domain  0 <= pair < rotary_dim / 2
/// error   rounded up; proofs/kernel/rotation_bound.md, theorem 19; infinity if the sum exceeds 1/4
inline double formed_rule_error(const rope& config, int pair) {
  constexpr int N = 4;
  const rope_shared<N> shared = share<N>(config);
  const enclosure<N> inv_freq = rope_inv_freq<N>(pair, config, shared);
  if (pair == 0 || is_zero(inv_freq.midpoint)) return 0;
  double sum = 0;
  config.scaling.visit([&](const auto& scaling) {
    using detail::product_up, detail::quotient_up, detail::sum_up;
    if constexpr (requires { base_growth<N>(scaling, config.seq_len); }) {
      const double exponent = quotient_up(config.rotary_dim, config.rotary_dim - 2);
      const double scale = detail::above(factor_of(config.scaling));
      const exact_factor<N> growth = base_growth<N>(scaling, config.seq_len);
      const double below_growth = upper_binary64(growth.denominator / growth.numerator);
      const double of_growth = sum_up(3, product_up(sum_up(product_up(3, scale), 1), below_growth));
      const double logarithm = upper_binary64(log(growth.numerator / growth.denominator));
      sum = sum_up(product_up(exponent, sum_up(of_growth, logarithm)), 3);
    } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(scaling)>, yarn>) {
      if (scaling.truncate) return;
      const place_on_ramp<N> place = place_on_ramp_of<N>(scaling, pair, config, shared);
      const double share_in_binary32 = detail::ramp_share_error(place, 0);
      if (!detail::is_near_ramp(place, share_in_binary32 * unit_roundoff<float>)) return;
      const double ends = sum_up(upper_binary64(place.kept_end), upper_binary64(place.divided_end));
      const double logarithm =
          upper_binary64(enclosure<N>::of(config.rotary_dim) / log(enclosure<N>::of(config.base)));
      const double over_width = upper_binary64(enclosure<N>::of(1) / (place.divided_end - place.kept_end));
      const double of_share = product_up(sum_up(product_up(6, ends), product_up(3, logarithm)), over_width);
      const enclosure<N> base_power = detail::base_power<N>(pair, config, shared);
      const double amplified = upper_binary64(enclosure<N>::of(1) / (base_power * inv_freq));
      const double kept_part = detail::above(std::abs(1 - 1 / factor_of(config.scaling)));
      sum = product_up(product_up(kept_part, of_share), amplified);
    }
  });
  return detail::with_higher_orders(sum);
}

namespace detail {

/// (1 + a)(1 + b) - 1, rounded up.
constexpr double with_error(double a, double b) {
  if (!(a <= 1 && b <= 1)) return std::numeric_limits<double>::infinity();
  return above(product_up(above(1 + a), above(1 + b)) - 1);
}

/// Roundings of frequency k of n, spaced from a first to a last one or listed, in units of u (theorem 17).
inline double roundings_of_spacing(int k, int n, const frequencies& frequencies,
                                   const enclosure<4>& frequency) {
  if (frequencies.rule == spacing::listed) return 1;
  const auto value = [](const quotient& end) {
    return enclosure<4>::of(end.numerator) / enclosure<4>::of(end.denominator);
  };
  const enclosure<4> first = value(frequencies.first), last = value(frequencies.last);
  if (frequencies.rule == spacing::linear)
    return product_up(12, std::max(upper_binary64(first / frequency), upper_binary64(last / frequency)));
  const double exponent = std::max(1.0, quotient_up(k, below(n - frequencies.shift)));
  const double logarithms = sum_up(upper_binary64(log(first)), upper_binary64(log(last)));
  return sum_up(product_up(exponent, sum_up(product_up(7, logarithms), 7)), 4);
}

constexpr double roundings_of_unit = 2;   // its constant, and the product
constexpr double roundings_of_scale = 3;  // of an index: of the fraction, and the product

}  // namespace detail

/// The same for a pair on several axes. An axis's own frequencies are those of an embedding of its channels
/// under its rule, or are spaced from a first to a last one, in any unit. An index may have a scale and an
/// offset.
///
/// units   as rows of `placed_rope`: relative
/// domain  0 <= pair < rotary_dim / 2
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 12, 17 and 20; infinity if a sum exceeds
///         1/4, or if frequencies that are not powers of one number would be formed from the previous pair
inline double formed_frequency_error(const placed_rope& config, int pair,
                                     ropewalk_part formed = ROPEWALK_PART_F32) {
  const pair_axis at = axis_of(pair, config.axes, config.encoding);
  if (at.is_still()) return 0;
  const auto axis = static_cast<std::size_t>(at.axis);
  const auto scaled = [&](double error) {
    const bool has_scale = config.coordinates[axis] != coordinate{};
    return has_scale ? detail::with_error(error, detail::with_higher_orders(detail::roundings_of_scale))
                     : error;
  };
  if (config.axes.frequencies_of != axis_frequencies::own)
    return scaled(formed_frequency_error(config.encoding, at.frequency, formed, pair));
  const frequencies& turn = config.axes.axis[axis].turn;
  if (turn.rule == spacing::of_base)
    return scaled(formed_frequency_error(rope_of_axis(at.axis, config.axes, config.encoding), at.frequency,
                                         formed, pair));
  if (formed == ROPEWALK_PART_REPEATED_F32) return std::numeric_limits<double>::infinity();
  const auto shared = share<4>(config);
  const enclosure<4> frequency = detail::frequency_of_pair<4>(at, config.axes, config.encoding, shared);
  if (is_zero(frequency.midpoint)) return 0;
  const int pairs = pairs_of_axis(at.axis, config.axes, config.encoding);
  const double of_unit = turn.unit == angle_unit::radian ? 0 : detail::roundings_of_unit;
  return scaled(detail::with_higher_orders(
      detail::sum_up(detail::roundings_of_spacing(at.frequency, pairs, turn, frequency), of_unit)));
}

/// formed_rule_error for a pair on several axes.
inline double formed_rule_error(const placed_rope& config, int pair) {
  const pair_axis at = axis_of(pair, config.axes, config.encoding);
  if (at.is_still()) return 0;
  if (config.axes.frequencies_of != axis_frequencies::own)
    return formed_rule_error(config.encoding, at.frequency);
  if (config.axes.axis[static_cast<std::size_t>(at.axis)].turn.rule != spacing::of_base) return 0;
  return formed_rule_error(rope_of_axis(at.axis, config.axes, config.encoding), at.frequency);
}

/// Frequency error for accuracy_bound and table_bound, if the promise lets a kernel form frequencies; 0
/// otherwise.
inline double frequency_error_under(const promise& promised, const placed_rope& config, int pair) {
  if (promised.frequency == ROPEWALK_UNROUNDED) return 0;
  const double error = formed_frequency_error(config, pair, promised.frequency);
  return promised.frequency == ROPEWALK_PART_F64 ? detail::sum_up(error, formed_rule_error(config, pair))
                                                 : error;
}

/// Error of a coordinate that an engine forms in binary32 from an index, in units of position_of_index.
///
/// domain  position: position_of_index(index, of), or its absolute value
/// error   rounded up; proofs/kernel/rotation_bound.md, theorem 18
constexpr double formed_coordinate_error(const coordinate& coordinate, double position) {
  const auto magnitude = [](auto x) { return static_cast<double>(x < 0 ? -x : x); };
  const double terms = detail::sum_up(magnitude(position), 2 * magnitude(coordinate.offset.numerator) +
                                                               magnitude(coordinate.offset.denominator));
  return detail::product_up(8 * unit_roundoff<float>, terms);
}

/// formed_frequency_error of a sinusoid's frequency base^-x, x = pair / (floor(d_model / 2) - shift), without
/// its scale: formed as exp(-x ln base), or as a power and its reciprocal; alone or from the previous pair.
///
/// domain  0 <= pair < floor(d_model / 2); `formed` as above
/// error   rounded up; proofs/kernel/rotation_bound.md, theorems 16 and 20; infinity if the sum exceeds 1/4
///         or repeated products underflow
inline double formed_frequency_error(const sinusoidal& config, int pair,
                                     ropewalk_part formed = ROPEWALK_PART_F32) {
  if (pair == 0) return 0;
  constexpr int N = 4;
  sinusoidal unscaled = config;
  unscaled.scale = 1;
  const double exponent = upper_binary64(log(sinusoidal_inv_freq<N>(pair, unscaled)));
  if (formed == ROPEWALK_PART_REPEATED_F32 && exponent > detail::largest_repeated_logarithm)
    return std::numeric_limits<double>::infinity();
  const bool is_rounded_base = static_cast<double>(static_cast<float>(config.base)) != config.base;
  const double of_base =
      is_rounded_base ? detail::quotient_up(pair, detail::below(pair_count(config) - config.shift)) : 0;
  return detail::with_higher_orders(detail::sum_up(
      detail::sum_up(detail::product_up(5, exponent), detail::roundings_of_power(formed, pair)), of_base));
}

}  // namespace ropewalk
