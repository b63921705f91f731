#pragma once
// Sinusoidal encoding of a position or a time as exact values: sin(row inv_freq) and cos(row inv_freq) in the
// channels of a convention. Vaswani et al. 2017 (arXiv:1706.03762). Nothing is rounded here: values are
// enclosures.

#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/encoding/frequencies.hpp"
#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

enum class wave { sine, cosine, zero };

/// Content of one channel: the sine or cosine of a pair, or zeros in the last channel of an odd d_model,
/// which belongs to no pair.
struct sinusoidal_channel {
  int pair = -1;
  wave holds = wave::zero;
  friend constexpr bool operator==(const sinusoidal_channel&, const sinusoidal_channel&) = default;
};

/// The two channels of one pair.
struct sinusoidal_channels {
  int sine = 0;
  int cosine = 0;
};

/// Content of one channel.
///
/// throws  std::invalid_argument naming the field and its value
constexpr sinusoidal_channel content_of(int channel, const sinusoidal& config) {
  validate(config);
  require(channel >= 0 && channel < config.d_model, "channel", channel, "a number from 0 to d_model - 1");
  const int pairs = pair_count(config);
  if (channel == 2 * pairs) return {};
  if (config.layout == sinusoidal_layout::interleaved)
    return {channel / 2, channel % 2 == 0 ? wave::sine : wave::cosine};
  const bool is_first_half = channel < pairs, sine_first = config.layout == sinusoidal_layout::sin_cos;
  return {channel % pairs, is_first_half == sine_first ? wave::sine : wave::cosine};
}

/// Channels of one pair.
///
/// domain  0 <= pair < floor(d_model / 2)
constexpr sinusoidal_channels channels_of(int pair, const sinusoidal& config) {
  if (config.layout == sinusoidal_layout::interleaved) return {2 * pair, 2 * pair + 1};
  const int other = pair + pair_count(config);
  return config.layout == sinusoidal_layout::sin_cos ? sinusoidal_channels{pair, other}
                                                     : sinusoidal_channels{other, pair};
}

namespace detail {

constexpr void validate_pair(int pair, const sinusoidal& config) {
  validate(config);
  require(pair >= 0 && pair < pair_count(config), "pair", pair, "a number from 0 to floor(d_model / 2) - 1");
}

}  // namespace detail

/// The numbers that all pairs share.
///
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr frequency_ratio<N> share(const sinusoidal& config) {
  validate(config);
  return share<N>(frequencies_of(config), pair_count(config));
}

/// Inverse frequency of one pair: scale x base^(-pair / (floor(d_model / 2) - shift)).
///
/// shape   scalar
/// units   radians per row
/// domain  0 <= pair < floor(d_model / 2)
/// error   carried by the enclosure; exact where the number has at most 53 bits
/// throws  std::invalid_argument naming the field and its value
/// source  Vaswani et al. 2017, sec. 3.5; `get_timing_signal_1d` in tensor2tensor; `get_timestep_embedding`
///         in diffusers
template <int N>
constexpr enclosure<N> sinusoidal_inv_freq(int pair, const sinusoidal& config,
                                           const frequency_ratio<N>& shared) {
  detail::validate_pair(pair, config);
  return frequency<N>(pair, pair_count(config), frequencies_of(config), shared);
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> sinusoidal_inv_freq(int pair, const sinusoidal& config) {
  return sinusoidal_inv_freq<N>(pair, config, share<N>(config));
}

/// Inverse frequency of one pair in turns: sinusoidal_inv_freq / (2 pi).
///
/// units   turns per row
template <int N>
constexpr enclosure<N> sinusoidal_turns(int pair, const sinusoidal& config,
                                        const frequency_ratio<N>& shared) {
  return sinusoidal_inv_freq<N>(pair, config, shared) * inverse_two_pi<N>();
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> sinusoidal_turns(int pair, const sinusoidal& config) {
  return sinusoidal_turns<N>(pair, config, share<N>(config));
}

/// Angle of one pair at a row, in one division: exact where the frequency is a fraction that divides the row.
///
/// units   radians
template <int N>
constexpr enclosure<N> sinusoidal_angle(int pair, const enclosure<N>& row, const sinusoidal& config) {
  detail::validate_pair(pair, config);
  return angle_at(row, pair, pair_count(config), frequencies_of(config), share<N>(config));
}

/// Row of a position, integer or not: the position itself, or position + padding_idx + 1.
///
/// throws  std::invalid_argument where the position is not finite
template <int N>
constexpr enclosure<N> sinusoidal_row(double position, const sinusoidal& config) {
  require(position >= -largest_number && position <= largest_number, "position", position, "a finite number");
  return enclosure<N>::of(position) + enclosure<N>::of(row_offset(config));
}

/// One entry of the encoding.
///
/// shape   scalar; tables give [positions, d_model]
/// domain  any finite position, 0 <= channel < d_model
/// error   carried by the enclosure
/// throws  std::invalid_argument naming the field and its value
/// source  Vaswani et al. 2017, sec. 3.5
template <int N>
constexpr enclosure<N> sinusoidal_entry(double position, int channel, const sinusoidal& config) {
  const sinusoidal_channel content = content_of(channel, config);
  const enclosure<N> row = sinusoidal_row<N>(position, config);
  if (content.holds == wave::zero || is_padding(position, config)) return enclosure<N>::of(0);
  const cos_sin<N> point = cos_sin_of_turns(sinusoidal_turns<N>(content.pair, config) * row);
  return content.holds == wave::sine ? point.sin : point.cos;
}

}  // namespace ropewalk
