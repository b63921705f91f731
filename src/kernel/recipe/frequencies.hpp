#pragma once
// What engines start from: inverse frequencies in the formats they keep them in.

#include <optional>
#include <span>
#include <vector>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::recipe {

/// The numbers of an encoding as recipes take them.
///
/// shape   [rotary_dim / 2] each
/// units   radians per position
struct frequencies {
  std::vector<double> inv_freq;        // correctly rounded to binary64
  std::vector<float> single_inv_freq;  // in binary32: to nearest, or as an engine forms them
  float theta_scale = 1;               // ggml: from one pair to the next, in binary32
  std::vector<float> divisor;          // ggml's freq_factors: what the scaling rule divides a pair by
  double attention_factor = 1;
};

/// From resolved numbers, where base and scaling rule are no longer known: single_inv_freq is the binary32
/// nearest to inv_freq. theta_scale is that nearest to inv_freq[1] / inv_freq[0], and a divisor that nearest
/// to what is left, 1 wherever the pairs keep this step.
frequencies from_resolved(std::span<const double> inv_freq, double attention_factor);

/// From a configuration: inverse frequencies correctly rounded to both formats; theta_scale the correctly
/// rounded powf(base, -2.0f / rotary_dim), divisors correctly rounded.
///
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
frequencies from_config(const rope& config);

/// Inverse frequencies as Hugging Face's transformers form them: binary32 throughout, each operation
/// correctly rounded. 1 / base^(2 pair / rotary_dim); `linear` divides by its factor; `llama3` compares
/// wavelengths and blends. Nothing for other rules.
///
/// source  modeling_rope_utils.py, _compute_default_rope_parameters and those of linear and llama3; a library's
///         powf may differ from the correctly rounded one
std::optional<std::vector<float>> hugging_face_inv_freqs(const rope& config);

}  // namespace ropewalk::recipe
