#pragma once
// Configuration of Transformer-XL's relative positions. Dai et al. 2019 (arXiv:1901.02860).

#include "ropewalk/config/sinusoidal.hpp"

namespace ropewalk {

/// Sinusoids of distances, d_model wide, which a learned matrix projects to the d_head channels of one head.
struct transformer_xl {
  double base = 10000;
  int d_model = 0;
  int d_head = 0;
};

/// Convention of the sinusoids in Transformer-XL and XLNet: the paper's exponent, sines first.
///
/// source  `PositionalEmbedding` in kimiyoung/transformer-xl; `relative_positional_encoding` in XLNet
constexpr sinusoidal sinusoids_of(const transformer_xl& config) {
  return {.base = config.base, .d_model = config.d_model, .layout = sinusoidal_layout::sin_cos};
}

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const transformer_xl& config) {
  validate(sinusoids_of(config));
  require(config.d_head >= 1 && config.d_head <= largest_d_model, "d_head", config.d_head,
          "a number from 1 to 65536");
}

/// Number of parameters that one head learns for positions: two vectors, and the projection of the sinusoids.
constexpr long long learned_parameters(const transformer_xl& config) {
  return 2LL * config.d_head + 1LL * config.d_head * config.d_model;
}

}  // namespace ropewalk
