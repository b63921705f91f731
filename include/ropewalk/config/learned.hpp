#pragma once
// Learned absolute positions: the shape of the table, and the positions that it serves.

#include <cstdint>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/config/require.hpp"
#include "ropewalk/config/sinusoidal.hpp"

namespace ropewalk {

/// A table [max_position_embeddings, d_model]; its numbers are a model's weights.
struct learned {
  std::int64_t max_position_embeddings = 0;
  int d_model = 0;
};

/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate(const learned& config) {
  require(config.max_position_embeddings >= 1 && config.max_position_embeddings <= largest_position + 1,
          "max_position_embeddings", static_cast<double>(config.max_position_embeddings),
          "a whole number from 1 to 2147483648");
  require(config.d_model >= 1 && config.d_model <= largest_d_model, "d_model", config.d_model,
          "a number from 1 to 65536");
}

/// Refuses a position without a row: positions never wrap around, and nothing outside the table is read.
///
/// throws  std::invalid_argument naming the field, its value and what is allowed
constexpr void validate_position(std::int64_t position, const learned& config) {
  require(position >= 0 && position < config.max_position_embeddings, "position",
          static_cast<double>(position), "a number from 0 to max_position_embeddings - 1");
}

}  // namespace ropewalk
