#pragma once
// Rotary position embedding in Boost.Multiprecision numbers of any precision. It gives users more digits than
// a format holds, and is the second, independent definition, which the tables are tested against. Su et al.
// 2021 (arXiv:2104.09864).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/number.hpp"
#include "ropewalk/reference/rope_scaling.hpp"

namespace ropewalk::reference {

template <class Position>
concept position_number = std::is_same_v<Position, double> ||
    (std::is_integral_v<Position> && sizeof(Position) <= 8);

template <real_number Number>
struct cos_sin {
  Number cos;
  Number sin;
};

namespace detail {

// Bits that the rules can lose. A ramp divides by the difference of two doubles (53 bits), after logarithms
// that amplify the error of their argument by up to 2^11. Its blend cancels up to |log2 factor| bits. A Boost
// series adds up to 2^12 errors.
inline constexpr int rule_guard_bits = 128;

inline int guard_bits(const rope& config) { return rule_guard_bits + scale_bits(config); }

/// Guard bits for reducing the angle of a position: each bit of the position's integer part loses one bit.
///
/// throws  std::invalid_argument if the position is not finite
template <position_number Position>
int guard_bits(Position position, const rope& config) {
  const double size = std::abs(static_cast<double>(position));
  require(size <= largest_number, "position", size, "a finite number");
  const int position_bits = size < 1 ? 0 : std::ilogb(size) + 2;
  return guard_bits(config) + position_bits + scale_bits(config);
}

inline void require_pair(int pair, const rope& config) {
  validate(config);
  require(pair >= 0 && pair < pair_count(config), "pair", pair, "a number from 0 to rotary_dim / 2 - 1");
}

template <real_number Number>
Number inv_freq(int pair, const rope& config) {
  const Number unscaled = unscaled_inv_freq<Number>(pair, config);
  const Number scale = inv_freq_scale<Number>(pair, config, unscaled);
  return unscaled * scale;
}

template <real_number Number>
Number turns(int pair, const rope& config) {
  const Number two_pi = 2 * pi<Number>();
  return inv_freq<Number>(pair, config) / two_pi;
}

template <real_number Number>
cos_sin<Number> rotation(const Number& position, const Number& turns_per_position,
                         const Number& attention_factor) {
  const Number phase = position * turns_per_position;
  const Number whole = floor(Number(phase + Number(0.5)));
  const Number angle = (phase - whole) * (2 * pi<Number>());
  return {attention_factor * cos(angle), attention_factor * sin(angle)};
}

template <real_number Number, position_number Position>
cos_sin<Number> rotation(Position position, int pair, const rope& config) {
  return rotation<Number>(Number(position), turns<Number>(pair, config), attention_factor_of<Number>(config));
}

}  // namespace detail

/// Inverse frequency of one channel pair: base^(-2 pair / rotary_dim), then the scaling rule.
///
/// shape   scalar; rope_inv_freqs (rope_rows.hpp) gives all rotary_dim / 2
/// units   radians per position
/// domain  0 <= pair < rotary_dim / 2
/// error   below one ulp of Number (tested against other precisions)
/// throws  std::invalid_argument naming the field and its value; std::runtime_error if a bound of YaRN's
///         ramp is within 2^-128 of an integer
/// source  Su et al. 2021, sec. 3.2.2 (theta_i); `inv_freq` in Hugging Face transformers and vLLM
template <real_number Number>
Number rope_inv_freq(int pair, const rope& config) {
  detail::require_pair(pair, config);
  return detail::with_guard_bits<Number>(detail::guard_bits(config),
                                         [&]<class Wide>() { return detail::inv_freq<Wide>(pair, config); });
}

/// Inverse frequency in turns: rope_inv_freq / (2 pi).
///
/// shape   scalar; rope_turns_of_pairs (rope_rows.hpp) gives all rotary_dim / 2
/// units   turns per position, not reduced
/// domain, error, throws   as rope_inv_freq
template <real_number Number>
Number rope_turns(int pair, const rope& config) {
  detail::require_pair(pair, config);
  return detail::with_guard_bits<Number>(detail::guard_bits(config),
                                         [&]<class Wide>() { return detail::turns<Wide>(pair, config); });
}

/// Attention factor, which multiplies every cosine and sine: 1 for every rule except YaRN and LongRoPE.
///
/// shape   scalar
/// units   none
/// error   below one ulp of Number
/// throws  std::invalid_argument naming the field and its value
/// source  Peng et al. 2023, eq. 22 (1 / sqrt t); `attention_factor` in Hugging Face transformers
template <real_number Number>
Number rope_attention_factor(const rope& config) {
  validate(config);
  return detail::with_guard_bits<Number>(
      detail::guard_bits(config), [&]<class Wide>() { return detail::attention_factor_of<Wide>(config); });
}

/// Cosine of the angle of one pair at one position, attention factor included.
///
/// shape   scalar; rope_cos_sin_rows (rope_rows.hpp) gives the rows of a range of positions
/// units   none; the angle is position x inv_freq in radians
/// domain  any int64 or finite binary64 position, 0 <= pair < rotary_dim / 2
/// error   below attention_factor x 2^-digits of Number, at every position: the angle is reduced in turns
///         with as many guard bits as its integer part has
/// throws  as rope_inv_freq
template <real_number Number, position_number Position>
Number rope_cos(Position position, int pair, const rope& config) {
  detail::require_pair(pair, config);
  return detail::with_guard_bits<Number>(detail::guard_bits(position, config), [&]<class Wide>() {
    return detail::rotation<Wide>(position, pair, config).cos;
  });
}

/// Sine of the angle of one pair at one position, attention factor included; all labels as rope_cos.
template <real_number Number, position_number Position>
Number rope_sin(Position position, int pair, const rope& config) {
  detail::require_pair(pair, config);
  return detail::with_guard_bits<Number>(detail::guard_bits(position, config), [&]<class Wide>() {
    return detail::rotation<Wide>(position, pair, config).sin;
  });
}

/// Both ends of YaRN's ramp, after truncation and clamping.
///
/// units   pairs
/// throws  as rope_inv_freq
/// source  `find_correction_range` in Hugging Face transformers
template <real_number Number>
yarn_ramp<Number> rope_yarn_ramp(const yarn& rule, double base, int rotary_dim) {
  validate(rope{.base = base, .rotary_dim = rotary_dim, .scaling = rule});
  const auto bound = [&](auto member) {
    return detail::with_guard_bits<Number>(detail::rule_guard_bits, [&]<class Wide>() {
      return member(detail::yarn_ramp_of<Wide>(rule, base, rotary_dim));
    });
  };
  return {bound([](const auto& ramp) { return ramp.low; }),
          bound([](const auto& ramp) { return ramp.high; })};
}

}  // namespace ropewalk::reference
