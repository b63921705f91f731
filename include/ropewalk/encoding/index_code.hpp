#pragma once
// Index codes as exact values: rationals where the code is rational, enclosures of the sines. A code is added
// to a token's vector or appended to it.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include "ropewalk/config/index_code.hpp"
#include "ropewalk/function/power.hpp"
#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/rational.hpp"

namespace ropewalk {

namespace detail {

constexpr void validate_column(int column, const index_code& config) {
  validate(config);
  require(column >= 0 && column < config.width, "column", column, "a number from 0 to width - 1");
}

}  // namespace detail

/// One number of an integer, normalised or binary code: p, p / (length - 1), or a binary digit of p. The
/// normalised code of length 1 is 0.
///
/// shape   scalar; a code has `width` of them
/// domain  positions that have a code, 0 <= column < width; any kind but sine_only
/// error   none
/// throws  std::invalid_argument naming the field and its value
constexpr rational<1> exact_index_code(std::int64_t position, int column, const index_code& config) {
  detail::validate_column(column, config);
  validate_position(position, config);
  require(is_rational(config.kind), "kind", static_cast<double>(config.kind),
          "integer, normalised or binary: a sine is not rational");
  switch (config.kind) {
    case index_code_kind::normalised:
      if (config.length == 1) return rational<1>::of(0);
      return rational<1>::of(position) / rational<1>::of(config.length - 1);
    case index_code_kind::binary: {
      const int bit = config.order == bit_order::lsb ? column : config.width - 1 - column;
      return rational<1>::of((position >> bit) & 1);
    }
    default: return rational<1>::of(position);
  }
}

/// Radians per position of one channel of the sine-only code: base^(-column / width).
///
/// units   radians per position
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr enclosure<N> sine_only_inv_freq(int column, const index_code& config) {
  detail::validate_column(column, config);
  if (column == 0) return enclosure<N>::of(1);
  const auto numerator = static_cast<std::uint32_t>(column),
             denominator = static_cast<std::uint32_t>(config.width);
  const std::uint32_t common = std::gcd(numerator, denominator);
  return enclosure<N>::of(1) / power(enclosure<N>::of(config.base), numerator / common, denominator / common);
}

namespace detail {

template <int N>
constexpr enclosure<N> sine_of(const enclosure<N>& position, int column, const index_code& config) {
  return cos_sin_of_turns(sine_only_inv_freq<N>(column, config) * inverse_two_pi<N>() * position).sin;
}

}  // namespace detail

/// One number of the sine-only code: sin(position base^(-column / width)).
///
/// domain  any finite position
/// error   carried by the enclosure
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr enclosure<N> sine_only_entry(double position, int column, const index_code& config) {
  require(position >= -largest_number && position <= largest_number, "position", position, "a finite number");
  return detail::sine_of(enclosure<N>::of(position), column, config);
}

/// One number of any code.
///
/// error   carried by the enclosure; exact for integer and binary codes
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr enclosure<N> index_code_entry(std::int64_t position, int column, const index_code& config) {
  if (is_rational(config.kind)) return enclose<N>(exact_index_code(position, column, config));
  return detail::sine_of(enclosure<N>::of(position), column, config);
}

/// One channel of a token with the code added. A code of width 1 is added to every channel, a wider code
/// channel by channel.
///
/// domain  finite token; the code's width is 1 or that of the token; channel < width of the token
/// error   carried by the enclosure
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr enclosure<N> added_index_code(double token, std::int64_t position, int channel,
                                        const index_code& config) {
  require(token >= -largest_number && token <= largest_number, "token", token, "a finite number");
  return enclosure<N>::of(token) + index_code_entry<N>(position, config.width == 1 ? 0 : channel, config);
}

/// One channel of a token with the code appended: the token's channels, then the code's.
///
/// shape   scalar; there are token.size() + width channels
/// throws  std::invalid_argument naming the field and its value
template <int N>
constexpr enclosure<N> concatenated_index_code(std::span<const double> token, std::int64_t position,
                                               int channel, const index_code& config) {
  const int own = static_cast<int>(token.size());
  require(channel >= 0, "channel", channel, "a number from 0 up");
  if (channel >= own) return index_code_entry<N>(position, channel - own, config);
  const double value = token[static_cast<std::size_t>(channel)];
  require(value >= -largest_number && value <= largest_number, "token", value, "a finite number");
  return enclosure<N>::of(value);
}

}  // namespace ropewalk
