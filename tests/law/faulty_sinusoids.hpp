#pragma once
// Tables of the sinusoidal encoding with one fault each, as engines and lectures had them; otherwise computed
// in binary64 and rounded to the format at the end.

#include <cmath>
#include <cstdint>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::example {

enum class sinusoid_fault {
  none,
  angle_binary32,     // the angle is formed in binary32
  own_frequency,      // channel 2i + 1 has exponent (2i + 1) / d_model, not its pair's
  sine_alone,         // no cosines
  waves_exchanged,    // cosines where sines belong
  normalised,         // position / length
  off_by_one,         // position + 1
  exponent_reversed,  // base^(+2i / d_model)
  scaled,             // times sqrt(d_model)
  position_bfloat16,  // the position is rounded to bfloat16
  wrapped,            // position modulo 64
  padding_kept,       // the padding's row is an ordinary one
  cosine_of_cosine,   // cos(cos t)
  not_a_number,
};

inline double in_bfloat16(double value) {
  const decoded parts = decode<bfloat16>(round<bfloat16>(enclosure<1>::of(value)).bits);
  const double size = std::ldexp(static_cast<double>(parts.significand), parts.exponent);
  return parts.negative ? -size : size;
}

inline double faulty_row(double position, const sinusoidal& config, double length, sinusoid_fault fault) {
  const double row = position + static_cast<double>(row_offset(config));
  switch (fault) {
    case sinusoid_fault::normalised: return row / length;
    case sinusoid_fault::off_by_one: return row + 1;
    case sinusoid_fault::wrapped: return std::fmod(row, 64);
    case sinusoid_fault::position_bfloat16: return in_bfloat16(row);
    default: return row;
  }
}

inline double faulty_angle(double row, int channel, const sinusoidal& config, sinusoid_fault fault) {
  const int numerator = fault == sinusoid_fault::own_frequency ? channel : channel / 2 * 2;
  const double exponent = static_cast<double>(numerator) / config.d_model;
  const double inv_freq =
      std::pow(config.base, fault == sinusoid_fault::exponent_reversed ? exponent : -exponent);
  if (fault == sinusoid_fault::angle_binary32) return static_cast<float>(row) * static_cast<float>(inv_freq);
  return row * inv_freq;
}

/// Value of one entry before rounding. domain  interleaved layout, the paper's exponent
inline double faulty_entry(double position, int channel, const sinusoidal& config, double length,
                           sinusoid_fault fault) {
  const bool is_zero = content_of(channel, config).holds == wave::zero;
  if (is_zero || (is_padding(position, config) && fault != sinusoid_fault::padding_kept)) return 0;
  if (fault == sinusoid_fault::not_a_number) return std::nan("");
  const double angle = faulty_angle(faulty_row(position, config, length, fault), channel, config, fault);
  const bool is_odd = channel % 2 != 0;
  const bool is_cosine = fault == sinusoid_fault::waves_exchanged ? !is_odd : is_odd;
  if (is_cosine && fault == sinusoid_fault::cosine_of_cosine) return std::cos(std::cos(angle));
  const double value = is_cosine && fault != sinusoid_fault::sine_alone ? std::cos(angle) : std::sin(angle);
  return fault == sinusoid_fault::scaled ? value * std::sqrt(config.d_model) : value;
}

template <floating_format Float>
bits_of<Float> rounded(double value) {
  if (std::isnan(value)) return format<Float>::quiet_nan;
  return round<Float>(enclosure<1>::of(value)).bits;
}

/// A source of such tables. A normalised one divides by the length of the requested range.
template <floating_format Float>
auto sinusoids_with(sinusoid_fault fault) {
  return [fault](position_range positions, const sinusoidal& config) {
    std::vector<std::uint64_t> table;
    for (std::int64_t p = positions.begin; p < positions.end; ++p)
      for (int channel = 0; channel < config.d_model; ++channel)
        table.push_back(rounded<Float>(faulty_entry(static_cast<double>(p), channel, config,
                                                    static_cast<double>(size(positions)), fault)));
    return table;
  };
}

}  // namespace ropewalk::example
