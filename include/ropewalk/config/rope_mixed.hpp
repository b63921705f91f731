#pragma once
// Mixed rotary position embedding: the angle of a pair of a head is the sum of the token's coordinates, each
// times a learned frequency. Heo et al. 2024 (arXiv:2403.13298), RoPE-Mixed. In axial embeddings,
// `rope_axes`, each pair has a frequency on one axis only.

#include <cstddef>

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk {

/// Frequencies of a mixed embedding. Structural if they are in static storage.
///
/// shape   frequency [axes, heads, pairs], row-major; one head where all heads share their frequencies
/// units   radians per unit of the coordinate; of either sign
/// source  `pos_frequencies` [3, heads, head_dim / 2] of Mochi; `freqs` [2, heads, head_dim / 2] of RoPE-ViT,
///         a layer's own; LightGlue's `Wr.weight` [head_dim / 2, 2], transposed: one matrix for all heads
struct rope_mixed {
  int axes = 0;
  int heads = 1;
  int pairs = 0;  // per head
  const double* frequency = nullptr;
};

inline constexpr int largest_mixed_heads = 65536;

/// Number of frequencies.
constexpr std::size_t frequency_count(const rope_mixed& config) {
  return static_cast<std::size_t>(config.axes) * static_cast<std::size_t>(config.heads) *
         static_cast<std::size_t>(config.pairs);
}

/// Index of one frequency in the array.
///
/// domain  0 <= axis < axes, 0 <= head < heads, 0 <= pair < pairs
constexpr std::size_t frequency_place(int axis, int head, int pair, const rope_mixed& config) {
  const auto heads = static_cast<std::size_t>(config.heads), pairs = static_cast<std::size_t>(config.pairs);
  return (static_cast<std::size_t>(axis) * heads + static_cast<std::size_t>(head)) * pairs +
         static_cast<std::size_t>(pair);
}

namespace detail {

constexpr void validate_sizes(const rope_mixed& config) {
  require(config.axes >= 1 && config.axes <= largest_axis_count, "axes", config.axes, "a number from 1 to 4");
  require(config.heads >= 1 && config.heads <= largest_mixed_heads, "heads", config.heads,
          "a number from 1 to 65536");
  require(config.pairs >= 1 && config.pairs <= largest_head_dim / 2, "pairs", config.pairs,
          "a number from 1 to 32768");
  require(config.frequency != nullptr, "frequency", 0, "a pointer to axes x heads x pairs numbers");
}

constexpr void require_finite(const char* field, double value) {
  require(value >= -largest_number && value <= largest_number, field, value, "a finite number");
}

}  // namespace detail

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const rope_mixed& config) {
  detail::validate_sizes(config);
  for (std::size_t i = 0; i < frequency_count(config); ++i)
    detail::require_finite("frequency", config.frequency[i]);
}

}  // namespace ropewalk
