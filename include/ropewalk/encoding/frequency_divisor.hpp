#pragma once
// Frequency divisors of the scaling rules as exact functions; ggml stores a model's rule as such divisors.
// They are computed from the rule, not by dividing two frequencies: the divisor of a kept frequency is
// exactly 1, that of a fully interpolated one exactly the factor.

#include "ropewalk/config/rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/enclosure.hpp"

namespace ropewalk {

/// Divisor that the scaling rule applies to a pair's frequency: base^(-2 pair / rotary_dim) / rope_inv_freq.
///
/// units   none
/// domain  0 <= pair < rotary_dim / 2; unbounded for a pair of frequency 0, which no divisor gives
/// error   carried by the enclosure; exact where the rule names the number; unbounded where N limbs do not
///         decide the rule's thresholds
/// throws  std::invalid_argument naming the field and its value
/// source  `rope_freqs.weight` of GGUF files and `freq_factors` of ggml_rope_ext in llama.cpp
template <int N>
constexpr enclosure<N> rope_frequency_divisor(int pair, const rope& config, const rope_shared<N>& shared) {
  detail::validate_pair(pair, config);
  return config.scaling.visit(
      [&](const auto& rule) { return frequency_divisor<N>(rule, pair, config, shared); });
}

/// For a single pair: also computes the numbers that all pairs share.
template <int N>
constexpr enclosure<N> rope_frequency_divisor(int pair, const rope& config) {
  return rope_frequency_divisor<N>(pair, config, share<N>(config));
}

}  // namespace ropewalk
