#pragma once
// Configuration of the scale of queries by position. Llama 4 and Ministral 3 multiply the query at position p
// by 1 + strength ln(1 + floor((p + shift) / length)), so that attention stays sharp in long contexts.

#include <cstdint>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// One scale. Structural: a table's template argument.
struct query_scale {
  double strength = 0;      // Llama 4: attn_scale; Ministral: llama_4_scaling_beta; 0: no scale
  std::int64_t length = 1;  // positions in a step. Llama 4: floor_scale; Ministral: the original length
  int shift = 0;            // added to each position. Llama 4: 1; Ministral: 0
  friend constexpr bool operator==(const query_scale&, const query_scale&) = default;
};

inline constexpr int largest_scale_shift = 1;

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const query_scale& config) {
  require(config.strength >= 0 && config.strength <= largest_number, "strength", config.strength,
          "a finite number from 0 up");
  require(config.length >= 1 && config.length <= largest_position + 1, "length",
          static_cast<double>(config.length), "a whole number from 1 to 2147483648");
  require(config.shift >= 0 && config.shift <= largest_scale_shift, "shift", config.shift, "0 or 1");
}

/// Refuses a position that has no scale: models count the positions of queries from 0.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate_position(std::int64_t position, const query_scale& config) {
  validate(config);
  require(position >= 0 && position <= largest_position, "position", static_cast<double>(position),
          "a number from 0 to 2147483647");
}

/// Step of a position: floor((position + shift) / length).
///
/// domain  0 <= position
constexpr std::int64_t scale_step(std::int64_t position, const query_scale& config) {
  return (position + config.shift) / config.length;
}

/// The first position of a step.
///
/// domain  0 <= step
constexpr std::int64_t first_of_step(std::int64_t step, const query_scale& config) {
  const std::int64_t first = step * config.length - config.shift;
  return first < 0 ? 0 : first;
}

}  // namespace ropewalk
