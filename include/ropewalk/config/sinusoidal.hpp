#pragma once
// Configuration of the sinusoidal encoding of a position or a time. Vaswani et al. 2017 (arXiv:1706.03762).
// Engines differ on five independent axes: shift, layout, odd widths, fairseq's row offset, and scale.

#include <cstdint>

#include "ropewalk/config/frequencies.hpp"
#include "ropewalk/config/given.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Channels of sines and cosines: 2i and 2i + 1 (the paper), all sines first (tensor2tensor, Marian, XLNet),
/// or all cosines first (MusicGen; flip_sin_to_cos of diffusers).
enum class sinusoidal_layout { interleaved, sin_cos, cos_sin };

/// Treatment of an odd d_model: refused, or floor(d_model / 2) pairs and a last column of zeros
/// (tensor2tensor, fairseq, diffusers).
enum class odd_width { refuse, zero };

/// "interleaved", "sin-cos" or "cos-sin": the layout's name on the command line.
constexpr const char* name_of(sinusoidal_layout layout) {
  switch (layout) {
    case sinusoidal_layout::interleaved: return "interleaved";
    case sinusoidal_layout::sin_cos: return "sin-cos";
    case sinusoidal_layout::cos_sin: break;
  }
  return "cos-sin";
}
/// "refuse" or "zero": the treatment of an odd d_model on the command line.
constexpr const char* name_of(odd_width odd) { return odd == odd_width::refuse ? "refuse" : "zero"; }

/// One convention of the encoding. Structural: a table's template argument.
///
/// Pair i has the frequency scale x base^(-i / (floor(d_model / 2) - shift)).
struct sinusoidal {
  double base = 10000;  // max_period of timesteps
  int d_model = 0;
  // 0: the paper, and timesteps of nearly all models. 1: tensor2tensor, fairseq, Whisper, M2M100, MusicGen,
  // and the default downscale_freq_shift of diffusers. A width with one pair has no exponent.
  double shift = 0;
  sinusoidal_layout layout = sinusoidal_layout::interleaved;
  odd_width odd = odd_width::refuse;
  // As in fairseq: position p has row p + padding_idx + 1, and row padding_idx is zero.
  given<int> padding_idx{};
  double scale = 1;  // of a row; 1000 for the times from 0 to 1 of Flux, Qwen-Image and AuraFlow
};

inline constexpr int largest_d_model = 65536;
inline constexpr double largest_row_scale = 0x1p64;

/// Number of pairs of a sine and a cosine: floor(d_model / 2).
constexpr int pair_count(const sinusoidal& config) { return config.d_model / 2; }

/// The frequencies of the pairs, scale included.
///
/// units   radians per row
constexpr frequencies frequencies_of(const sinusoidal& config) {
  return {.rule = spacing::geometric,
          .first = {config.scale, 1},
          .last = {config.scale, config.base},
          .shift = config.shift};
}

/// Row of position 0: padding_idx + 1 where padding is given, else 0.
constexpr std::int64_t row_offset(const sinusoidal& config) {
  return config.padding_idx ? std::int64_t{config.padding_idx.value} + 1 : 0;
}

/// Whether the position is that of padding: -1, if padding_idx is given.
constexpr bool is_padding(double position, const sinusoidal& config) {
  return config.padding_idx && position == -1;
}

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const sinusoidal& config) {
  require(config.base > 1 && config.base <= largest_number, "base", config.base, "a finite number above 1");
  require(config.d_model >= 2 && config.d_model <= largest_d_model, "d_model", config.d_model,
          "a number from 2 to 65536");
  require(config.d_model % 2 == 0 || config.odd == odd_width::zero, "d_model", config.d_model,
          "an even number, unless odd is zero");
  require(config.scale > 0 && config.scale <= largest_row_scale, "scale", config.scale,
          "a number above 0, up to 2^64");
  validate(frequencies_of(config), pair_count(config));  // shift
  require(config.layout == sinusoidal_layout::interleaved || config.layout == sinusoidal_layout::sin_cos ||
              config.layout == sinusoidal_layout::cos_sin,
          "layout", static_cast<double>(config.layout), "interleaved, sin-cos or cos-sin");
  require(config.odd == odd_width::refuse || config.odd == odd_width::zero, "odd",
          static_cast<double>(config.odd), "refuse or zero");
  require(config.padding_idx.value >= 0, "padding_idx", config.padding_idx.value, "a number from 0 up");
}

}  // namespace ropewalk
