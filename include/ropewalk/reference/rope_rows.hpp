#pragma once
// Rotary position embedding in numbers of any precision, for all pairs and for rows of positions at once.

#include <cstddef>
#include <cstdint>
#include <span>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/reference/rope.hpp"

namespace ropewalk::reference {

/// Fills `out` with rope_inv_freq of pairs 0, 1, ...; shape [pairs].
template <real_number Number>
void rope_inv_freqs(const rope& config, std::span<Number> out) {
  for (std::size_t pair = 0; pair < out.size(); ++pair)
    out[pair] = rope_inv_freq<Number>(static_cast<int>(pair), config);
}

/// Fills `out` with rope_turns of pairs 0, 1, ...; shape [pairs].
template <real_number Number>
void rope_turns_of_pairs(const rope& config, std::span<Number> out) {
  for (std::size_t pair = 0; pair < out.size(); ++pair)
    out[pair] = rope_turns<Number>(static_cast<int>(pair), config);
}

/// Fills rows of cosines and sines for positions first, first + 1, ...; each of shape [positions, pairs].
template <real_number Number>
void rope_cos_sin_rows(std::int64_t first, const rope& config, std::span<Number> cos, std::span<Number> sin) {
  validate(config);
  const auto pairs = static_cast<std::size_t>(pair_count(config));
  require(cos.size() == sin.size() && cos.size() % pairs == 0, "cos.size()", static_cast<double>(cos.size()),
          "a multiple of the number of pairs, equal to sin.size()");
  for (std::size_t entry = 0; entry < cos.size(); ++entry) {
    const std::int64_t position = first + static_cast<std::int64_t>(entry / pairs);
    const int pair = static_cast<int>(entry % pairs);
    cos[entry] = rope_cos<Number>(position, pair, config);
    sin[entry] = rope_sin<Number>(position, pair, config);
  }
}

}  // namespace ropewalk::reference
