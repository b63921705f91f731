#pragma once
// Configuration of rotary position embedding. Su et al. 2021 (arXiv:2104.09864). The pairing of channels is
// in `head_layout`, which only kernels need.

#include <cstdint>

#include "ropewalk/config/require.hpp"
#include "ropewalk/config/rope_scaling.hpp"

namespace ropewalk {

/// Base, rotated channels and scaling rule of a rotary embedding. Structural: a table's template argument.
struct rope {
  double base = 10000;
  int rotary_dim = 0;
  rope_scaling scaling{};
  std::int64_t seq_len = 0;  // length of the sequence that the table serves; see depends_on_seq_len
};

inline constexpr int largest_head_dim = 65536;
inline constexpr std::int64_t largest_seq_len = std::int64_t{1} << 31;

/// Number of channel pairs that rotate: rotary_dim / 2.
constexpr int pair_count(const rope& config) { return config.rotary_dim / 2; }

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const rope& config) {
  require(config.base > 1 && config.base <= largest_number, "base", config.base, "a finite number above 1");
  require(config.rotary_dim >= 2 && config.rotary_dim % 2 == 0 && config.rotary_dim <= largest_head_dim,
          "rotary_dim", config.rotary_dim, "an even number from 2 to 65536");
  require(config.seq_len >= 0 && config.seq_len <= largest_seq_len, "seq_len",
          static_cast<double>(config.seq_len), "a whole number from 0 to 2147483648");
  validate(config.scaling, pair_count(config));
}

}  // namespace ropewalk
