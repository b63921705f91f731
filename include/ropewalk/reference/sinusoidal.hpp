#pragma once
// Sinusoidal position encoding in Boost.Multiprecision numbers of any precision, written from the code of
// engines: the second, independent definition, which the tables are tested against. Vaswani et al. 2017
// (arXiv:1706.03762).

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/reference/number.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

namespace detail {

/// Timescale of a pair, in a geometric progression: 1 at pair 0, and base at pair `last`, which only a shift
/// of 1 reaches.
template <real_number Number>
Number sinusoidal_timescale(int pair, const sinusoidal& config) {
  if (pair == 0) return Number(1);  // also where there is one pair and `last` is 0
  const Number last = config.d_model / 2 - Number(config.shift);
  const Number increment = log(Number(config.base)) / last;
  return exp(Number(increment * pair));
}

template <real_number Number>
Number sinusoidal_frequency(int pair, const sinusoidal& config) {
  return Number(config.scale) / sinusoidal_timescale<Number>(pair, config);
}

template <real_number Number>
cos_sin<Number> sinusoid(double position, int pair, const sinusoidal& config) {
  const Number turns = sinusoidal_frequency<Number>(pair, config) / (2 * pi<Number>());
  Number row = position;
  if (config.padding_idx) row += Number(config.padding_idx.value) + 1;
  return rotation<Number>(row, turns, Number(1));
}

/// Guard bits for reducing the angle of a row: each bit of the integer part of scale x row loses one bit.
inline int guard_bits(double position, const sinusoidal& config) {
  require(std::abs(position) <= largest_number, "position", position, "a finite number");
  const double row = std::max(std::abs(position), 1.0);
  const double offset = config.padding_idx.value + 2.0;
  return rule_guard_bits + std::ilogb(row) + std::ilogb(offset) + std::max(std::ilogb(config.scale), 0) + 2;
}

}  // namespace detail

/// Inverse frequency of one pair.
///
/// shape   scalar
/// units   radians per row
/// domain  0 <= pair < floor(d_model / 2)
/// error   below one ulp of Number (tested against other precisions)
/// throws  std::invalid_argument naming the field and its value
/// source  Vaswani et al. 2017, sec. 3.5; `get_timing_signal_1d` in tensor2tensor; `get_timestep_embedding`
///         in diffusers
template <real_number Number>
Number sinusoidal_inv_freq(int pair, const sinusoidal& config) {
  validate(config);
  require(pair >= 0 && pair < config.d_model / 2, "pair", pair, "a number from 0 to floor(d_model / 2) - 1");
  return detail::with_guard_bits<Number>(detail::rule_guard_bits, [&]<class Wide>() {
    return Wide(detail::sinusoidal_frequency<Wide>(pair, config));
  });
}

/// One entry of the encoding. Rows are built as engines build them: columns of sines and cosines, interleaved
/// or concatenated.
///
/// shape   scalar
/// domain  any finite position, 0 <= channel < d_model
/// error   below 2^-digits of Number, at every position
/// throws  std::invalid_argument naming the field and its value
template <real_number Number>
Number sinusoidal_entry(double position, int channel, const sinusoidal& config) {
  validate(config);
  require(channel >= 0 && channel < config.d_model, "channel", channel, "a number from 0 to d_model - 1");
  const int pairs = config.d_model / 2;
  const bool is_padding = config.padding_idx.is_given && position == -1;
  if (is_padding || channel >= 2 * pairs) return Number(0);
  bool is_sine = channel % 2 == 0;
  int pair = channel / 2;
  if (config.layout != sinusoidal_layout::interleaved) {
    const bool is_left = channel < pairs;
    is_sine =
        is_left ? config.layout == sinusoidal_layout::sin_cos : config.layout == sinusoidal_layout::cos_sin;
    pair = is_left ? channel : channel - pairs;
  }
  return detail::with_guard_bits<Number>(detail::guard_bits(position, config), [&]<class Wide>() {
    const cos_sin<Wide> point = detail::sinusoid<Wide>(position, pair, config);
    return is_sine ? point.sin : point.cos;
  });
}

}  // namespace ropewalk::reference
