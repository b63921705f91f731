#pragma once
// Definitions of the functions declared in the *_digits.hpp headers and decimal_distance.hpp.
// Boost.Multiprecision and MPFR take seconds to compile: link ropewalk::digits, or include this header in one
// file of a program.

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ropewalk/reference/alibi.hpp"
#include "ropewalk/reference/alibi_digits.hpp"
#include "ropewalk/reference/decided_digits.hpp"
#include "ropewalk/reference/decimal_distance.hpp"
#include "ropewalk/reference/frequency_divisor.hpp"
#include "ropewalk/reference/frequency_divisor_digits.hpp"
#include "ropewalk/reference/index_code.hpp"
#include "ropewalk/reference/index_code_digits.hpp"
#include "ropewalk/reference/pooled_axes.hpp"
#include "ropewalk/reference/pooled_axes_digits.hpp"
#include "ropewalk/reference/query_scale.hpp"
#include "ropewalk/reference/query_scale_digits.hpp"
#include "ropewalk/reference/rope.hpp"
#include "ropewalk/reference/rope_axes.hpp"
#include "ropewalk/reference/rope_axes_digits.hpp"
#include "ropewalk/reference/rope_axes_exact.hpp"
#include "ropewalk/reference/rope_digits.hpp"
#include "ropewalk/reference/rope_exact.hpp"
#include "ropewalk/reference/rope_mixed.hpp"
#include "ropewalk/reference/rope_mixed_digits.hpp"
#include "ropewalk/reference/sinusoidal.hpp"
#include "ropewalk/reference/sinusoidal_digits.hpp"
#include "ropewalk/reference/xpos.hpp"
#include "ropewalk/reference/xpos_digits.hpp"

namespace ropewalk::reference {

namespace detail {

template <class Evaluate>
std::string rotation_digits(const rope& config, int digits, const Evaluate& evaluate) {
  const int size_exponent = exponent_of(rope_attention_factor<run_time_number>(config));
  return decided_digits(digits, size_exponent, evaluate);
}

template <position_number Position>
std::string cos_digits(Position position, int pair, const rope& config, int digits) {
  if (stands_still(pair, config) || position == 0) return rope_attention_factor_digits(config, digits);
  return rotation_digits(config, digits, [&] { return rope_cos<run_time_number>(position, pair, config); });
}

template <position_number Position>
std::string sin_digits(Position position, int pair, const rope& config, int digits) {
  if (stands_still(pair, config) || position == 0) return decimal_digits(0, digits);
  return rotation_digits(config, digits, [&] { return rope_sin<run_time_number>(position, pair, config); });
}

inline std::string axes_digits(const std::vector<double>& positions, int pair, const rope_axes& axes,
                               const rope& config, int digits, const axis_coordinates& coordinates,
                               bool is_sine) {
  require_positions(positions, pair, axes, config);
  const axis_column column = axis_columns(axes, config)[static_cast<std::size_t>(pair)];
  const auto axis = static_cast<std::size_t>(column.axis);
  const std::optional<int> quarter =
      quarter_of(exact_phase(positions[axis], column, axes, coordinates[axis]));
  if (quarter && (*quarter % 2 == 0) == is_sine) return decimal_digits(0, digits);
  if (quarter && axes.frequencies_of == axis_frequencies::shared && *quarter == 0)
    return rope_attention_factor_digits(config, digits);
  if (quarter) return decimal_digits(*quarter == (is_sine ? 1 : 0) ? 1 : -1, digits);
  return rotation_digits(config, digits, [&] {
    const auto at = rope_axes_cos_sin<run_time_number>(positions, pair, axes, config, coordinates);
    return is_sine ? at.sin : at.cos;
  });
}

inline std::string pooled_digits(const std::vector<axis_window>& windows, int pair, const rope_axes& axes,
                                 const rope& config, int digits, bool is_sine) {
  for (const axis_window& window : windows) validate(window);
  std::vector<double> first;
  for (const axis_window& window : windows) first.push_back(window.first);
  require_positions(first, pair, axes, config);
  const int axis = axis_columns(axes, config)[static_cast<std::size_t>(pair)].axis;
  const axis_window& own = windows[static_cast<std::size_t>(axis)];
  if (own.index(own.cells - 1) == own.first)
    return axes_digits(first, pair, axes, config, digits, {}, is_sine);
  constexpr int bits_of_sum = 18;  // 64 x 64 x 64 cells at most, each added with a rounding
  const int size_exponent = exponent_of(rope_attention_factor<run_time_number>(config));
  return decided_digits(digits, size_exponent + bits_of_sum, [&] {
    const auto at = pooled_axes_cos_sin<run_time_number>(windows, pair, axes, config);
    return is_sine ? at.sin : at.cos;
  });
}

inline std::string mixed_digits(const std::vector<double>& coordinates, int head, int pair,
                                const rope_mixed& config, int digits, bool is_sine) {
  if (rope_mixed_angle(coordinates, head, pair, config) == 0) return decimal_digits(is_sine ? 0 : 1, digits);
  constexpr int size_exponent = 1;  // sines and cosines are below 2
  return decided_digits(digits, size_exponent, [&] {
    const auto at = rope_mixed_cos_sin<run_time_number>(coordinates, head, pair, config);
    return is_sine ? at.sin : at.cos;
  });
}

template <class Evaluate>
std::string xpos_digits(std::int64_t position, int pair, xpos_side side, const xpos& config, int digits,
                        const Evaluate& evaluate) {
  validate(config);
  require_pair(pair, rotary_part(config));
  const int size_exponent = exponent_of(xpos_scale<run_time_number>(pair, position, side, config));
  return decided_digits(digits, size_exponent, evaluate);
}

}  // namespace detail

std::string rope_inv_freq_digits(int pair, const rope& config, int digits) {
  if (const std::optional<rational> exact = rope_exact_inv_freq(pair, config))
    return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return rope_inv_freq<detail::run_time_number>(pair, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

std::string rope_turns_digits(int pair, const rope& config, int digits) {
  if (stands_still(pair, config)) return decimal_digits(0, digits);
  const auto evaluate = [&] { return rope_turns<detail::run_time_number>(pair, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

std::string rope_attention_factor_digits(const rope& config, int digits) {
  if (const std::optional<rational> exact = rope_exact_attention_factor(config))
    return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return rope_attention_factor<detail::run_time_number>(config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

std::string rope_cos_digits(std::int64_t position, int pair, const rope& config, int digits) {
  return detail::cos_digits(position, pair, config, digits);
}
std::string rope_cos_digits(double position, int pair, const rope& config, int digits) {
  return detail::cos_digits(position, pair, config, digits);
}

std::string rope_sin_digits(std::int64_t position, int pair, const rope& config, int digits) {
  return detail::sin_digits(position, pair, config, digits);
}
std::string rope_sin_digits(double position, int pair, const rope& config, int digits) {
  return detail::sin_digits(position, pair, config, digits);
}

std::string alibi_slope_digits(int head, const alibi& config, int digits) {
  if (const auto exact = alibi_exact_slope(head, config)) return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return alibi_slope<detail::run_time_number>(head, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

std::string alibi_bias_digits(int head, std::int64_t query, std::int64_t key, const alibi& config, int digits,
                              std::int64_t keys) {
  const std::int64_t steps = alibi_multiplier(query, key, keys, config);
  if (const auto exact = alibi_exact_slope(head, config))
    return decimal_digits(rational(*exact * steps), digits);
  if (steps == 0) return decimal_digits(rational(0), digits);
  const auto evaluate = [&] { return alibi_bias<detail::run_time_number>(head, query, key, config, keys); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

std::string index_code_digits(std::int64_t position, int column, const index_code& config, int digits) {
  return decimal_digits(index_code_value(position, column, config), digits);
}

std::string sine_only_digits(double position, int column, const index_code& config, int digits) {
  const auto evaluate = [&] { return sine_only_value<detail::run_time_number>(position, column, config); };
  if (position == 0) return decimal_digits(0, digits);
  constexpr int size_exponent = 1;  // sines are below 2
  return detail::decided_digits(digits, size_exponent, evaluate);
}

std::string query_scale_digits(std::int64_t position, const query_scale& config, int digits) {
  validate_position(position, config);
  if (scale_step(position, config) == 0 || config.strength == 0) return decimal_digits(1, digits);
  const auto evaluate = [&] { return query_scale_value<detail::run_time_number>(position, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

std::optional<std::string> rope_frequency_divisor_digits(int pair, const rope& config, int digits) {
  if (stands_still(pair, config)) return std::nullopt;
  if (const std::optional<rational> exact = rope_exact_frequency_divisor(pair, config))
    return decimal_digits(*exact, digits);
  const auto evaluate = [&] { return rope_frequency_divisor<detail::run_time_number>(pair, config); };
  return detail::decided_digits(digits, detail::exponent_of(evaluate()), evaluate);
}

std::string sinusoidal_digits(double position, int channel, const sinusoidal& config, int digits) {
  const auto evaluate = [&] { return sinusoidal_entry<detail::run_time_number>(position, channel, config); };
  const bool is_row_zero =
      config.padding_idx.is_given ? position == -1.0 - config.padding_idx.value : position == 0;
  const bool is_padding = config.padding_idx.is_given && position == -1;
  const bool is_zero_channel = config.d_model % 2 != 0 && channel == config.d_model - 1;
  if (is_row_zero || is_padding || is_zero_channel)
    return decimal_digits(detail::rational_of(evaluate()), digits);
  constexpr int size_exponent = 1;  // sines and cosines are below 2
  return detail::decided_digits(digits, size_exponent, evaluate);
}

std::string rope_axes_cos_digits(const std::vector<double>& positions, int pair, const rope_axes& axes,
                                 const rope& config, int digits, const axis_coordinates& coordinates) {
  return detail::axes_digits(positions, pair, axes, config, digits, coordinates, false);
}

std::string rope_axes_sin_digits(const std::vector<double>& positions, int pair, const rope_axes& axes,
                                 const rope& config, int digits, const axis_coordinates& coordinates) {
  return detail::axes_digits(positions, pair, axes, config, digits, coordinates, true);
}

std::string rope_mixed_cos_digits(const std::vector<double>& coordinates, int head, int pair,
                                  const rope_mixed& config, int digits) {
  return detail::mixed_digits(coordinates, head, pair, config, digits, false);
}

std::string rope_mixed_sin_digits(const std::vector<double>& coordinates, int head, int pair,
                                  const rope_mixed& config, int digits) {
  return detail::mixed_digits(coordinates, head, pair, config, digits, true);
}

std::string pooled_axes_cos_digits(const std::vector<axis_window>& windows, int pair, const rope_axes& axes,
                                   const rope& config, int digits) {
  return detail::pooled_digits(windows, pair, axes, config, digits, false);
}

std::string pooled_axes_sin_digits(const std::vector<axis_window>& windows, int pair, const rope_axes& axes,
                                   const rope& config, int digits) {
  return detail::pooled_digits(windows, pair, axes, config, digits, true);
}

std::string xpos_cos_digits(std::int64_t position, int pair, xpos_side side, const xpos& config, int digits) {
  if (position == 0)
    if (const auto exact = xpos_exact_scale(pair, position, side, config))
      return decimal_digits(*exact, digits);
  return detail::xpos_digits(position, pair, side, config, digits, [&] {
    return xpos_cos_sin<detail::run_time_number>(position, pair, side, config).cos;
  });
}

std::string xpos_sin_digits(std::int64_t position, int pair, xpos_side side, const xpos& config, int digits) {
  if (position == 0) return decimal_digits(0, digits);
  return detail::xpos_digits(position, pair, side, config, digits, [&] {
    return xpos_cos_sin<detail::run_time_number>(position, pair, side, config).sin;
  });
}

double distance_in(double unit, double value, const std::string& exact, double part) {
  using wide = boost::multiprecision::cpp_bin_float_100;  // holds every difference to 100 digits
  return ((wide(value) + part - wide(exact)) / unit).convert_to<double>();
}

}  // namespace ropewalk::reference
