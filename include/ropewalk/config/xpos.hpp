#pragma once
// Configuration of xPos, a rotary embedding that also scales queries and keys exponentially with the
// position. Sun et al. 2022 (arXiv:2212.10554).

#include <cstdint>

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope.hpp"

namespace ropewalk {

/// Frequencies and scale of the encoding. Structural: a template argument.
struct xpos {
  double base = 10000;
  int rotary_dim = 0;
  int scale_base = 512;  // positions over which the scale of pair i is multiplied by z_i
  // Tokens of the sequence: exponents are counted from its middle, as in torchscale.
  std::int64_t length = 0;
};

/// Side of a score: queries are multiplied by the scale, keys are divided by it.
enum class xpos_side { query, key };

/// "query" or "key": the side's name on the command line.
constexpr const char* name_of(xpos_side side) { return side == xpos_side::query ? "query" : "key"; }

/// The rotation of xPos without its scale: a rotary embedding without a scaling rule.
constexpr rope rotary_part(const xpos& config) {
  return {.base = config.base, .rotary_dim = config.rotary_dim};
}

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const xpos& config) {
  validate(rotary_part(config));
  require(config.scale_base >= 1 && config.scale_base <= 1 << 20, "scale_base", config.scale_base,
          "a whole number from 1 to 1048576");
  require(config.length >= 0 && config.length <= largest_seq_len, "length",
          static_cast<double>(config.length), "a whole number from 0 to 2147483648");
}

}  // namespace ropewalk
