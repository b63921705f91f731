#pragma once
// Inverse frequencies in the formats that inference engines use.

#include <optional>
#include <span>
#include <vector>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::recipe {

/// The numbers of an encoding that a recipe takes as input.
///
/// shape   [rotary_dim / 2] each
/// units   radians per position
struct frequencies {
  std::vector<double> inv_freq;        // correctly rounded to binary64
  std::vector<float> single_inv_freq;  // in binary32: nearest, or as an engine computes them
  float theta_scale = 1;               // ggml: ratio of one pair's inverse frequency to the previous one's
  std::vector<float> divisor;          // ggml's freq_factors: one divisor per pair, from the scaling rule
  double attention_factor = 1;
};

/// Frequencies from resolved numbers, if base and scaling rule are unknown.
///
/// single_inv_freq is inv_freq rounded to binary32. theta_scale is the ratio inv_freq[1] / inv_freq[0], and
/// the divisor of a pair is ratio^pair / inv_freq[pair]. Both are computed in binary64 and rounded to
/// binary32. A divisor is infinite if inv_freq[pair] is 0.
frequencies from_resolved(std::span<const double> inv_freq, double attention_factor);

/// Frequencies from a configuration: inverse frequencies correctly rounded to both formats, theta_scale the
/// correctly rounded powf(base, -2.0f / rotary_dim), divisors correctly rounded.
///
/// throws  std::invalid_argument naming the field and its value; undecided if Ziv's loop reaches its cap
frequencies from_config(const rope& config);

/// Inverse frequencies as Hugging Face's transformers computes them: binary32 throughout, each operation
/// correctly rounded. 1 / base^(2 pair / rotary_dim); `linear` divides by its factor; `llama3` compares
/// wavelengths and blends. nullopt for other scaling rules.
///
/// source  modeling_rope_utils.py: _compute_default_rope_parameters and the functions of linear and llama3; a
///         library's powf may differ from the correctly rounded one
std::optional<std::vector<float>> hugging_face_inv_freqs(const rope& config);

}  // namespace ropewalk::recipe
