#pragma once
// Sinusoidal position encoding: its configuration. Vaswani et al. 2017 (arXiv:1706.03762).
// Engines differ on four independent axes: exponent, layout, odd widths, and fairseq's row offset.

#include <cstdint>

#include "ropewalk/config/given.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// Exponent of the base for pair i: 2i / d_model as in the paper, or i / max(d_model / 2 - 1, 1), where
/// d_model / 2 is an integer division, as in tensor2tensor, fairseq, Whisper, M2M100 and MusicGen. (fairseq
/// divides by zero at d_model 2.)
enum class sinusoidal_exponent { paper, tensor2tensor };

/// Channels of sines and cosines: 2i and 2i + 1 (the paper), all sines first (tensor2tensor, Marian, XLNet),
/// or all cosines first (MusicGen).
enum class sinusoidal_layout { interleaved, sin_cos, cos_sin };

/// Treatment of an odd d_model: refused, or floor(d_model / 2) pairs and a last column of zeros
/// (tensor2tensor, fairseq).
enum class odd_width { refuse, zero };

/// "paper" or "tensor2tensor": the exponent as the command line spells it.
constexpr const char* name_of(sinusoidal_exponent exponent) {
  return exponent == sinusoidal_exponent::paper ? "paper" : "tensor2tensor";
}
/// "interleaved", "sin-cos" or "cos-sin": the layout as the command line spells it.
constexpr const char* name_of(sinusoidal_layout layout) {
  switch (layout) {
    case sinusoidal_layout::interleaved: return "interleaved";
    case sinusoidal_layout::sin_cos: return "sin-cos";
    case sinusoidal_layout::cos_sin: break;
  }
  return "cos-sin";
}
/// "refuse" or "zero": the treatment of an odd d_model as the command line spells it.
constexpr const char* name_of(odd_width odd) { return odd == odd_width::refuse ? "refuse" : "zero"; }

/// One convention of the encoding. Structural: a table's template argument.
struct sinusoidal {
  double base = 10000;
  int d_model = 0;
  sinusoidal_exponent exponent = sinusoidal_exponent::paper;
  sinusoidal_layout layout = sinusoidal_layout::interleaved;
  odd_width odd = odd_width::refuse;
  // As in fairseq: position p has row p + padding_idx + 1, and row padding_idx is zero.
  given<int> padding_idx{};
};

inline constexpr int largest_d_model = 65536;

/// Number of pairs of a sine and a cosine: floor(d_model / 2).
constexpr int pair_count(const sinusoidal& config) { return config.d_model / 2; }

/// Row of position 0: padding_idx + 1 where padding is given, else 0.
constexpr std::int64_t row_offset(const sinusoidal& config) {
  return config.padding_idx ? std::int64_t{config.padding_idx.value} + 1 : 0;
}

/// Whether the position is the padding's: -1, where padding_idx is given.
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
  require(
      config.exponent == sinusoidal_exponent::paper || config.exponent == sinusoidal_exponent::tensor2tensor,
      "exponent", static_cast<double>(config.exponent), "paper or tensor2tensor");
  require(config.layout == sinusoidal_layout::interleaved || config.layout == sinusoidal_layout::sin_cos ||
              config.layout == sinusoidal_layout::cos_sin,
          "layout", static_cast<double>(config.layout), "interleaved, sin-cos or cos-sin");
  require(config.odd == odd_width::refuse || config.odd == odd_width::zero, "odd",
          static_cast<double>(config.odd), "refuse or zero");
  require(config.padding_idx.value >= 0, "padding_idx", config.padding_idx.value, "a number from 0 up");
}

}  // namespace ropewalk
