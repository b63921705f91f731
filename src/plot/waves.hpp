#pragma once
// Rows of the sinusoidal encoding as numbers to draw.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/sinusoidal.hpp"

namespace ropewalk::plot {

/// GPT-2's shape. GPT-2 learns its positions; these are sinusoids of that shape.
inline constexpr sinusoidal gpt_2_shape{.d_model = 768};
inline constexpr std::int64_t gpt_2_positions = 1024;

/// Rows of positions 0 to count - 1, correctly rounded to binary64.
struct wave_rows {
  std::size_t width = 0;
  std::vector<double> entries;  // [positions, width]

  wave_rows(const sinusoidal& config, std::int64_t count);

  std::size_t count() const { return entries.size() / width; }
  double at(std::size_t position, std::size_t channel) const { return entries[position * width + channel]; }
  /// The scalar product of two rows.
  double product(std::size_t index, std::size_t other) const;
  /// One channel at every position.
  std::vector<double> channel(std::size_t count) const;
};

/// Tokens in which one pair turns once.
double wavelength_of(int pair, const sinusoidal& config);

}  // namespace ropewalk::plot
