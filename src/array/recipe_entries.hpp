#pragma once
// The values that the known recipes compute for single entries and for rows.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::array {

/// Cosine and sine of one pair at one position, in binary32.
struct recipe_entry {
  std::string_view recipe;
  float cos = 0;
  float sin = 0;
};

/// The entries of all recipes, attention factor included, in the order of known_recipes.
///
/// domain  0 <= pair < rotary_dim / 2
std::vector<recipe_entry> recipe_entries(const rope& config, std::int64_t position, int pair);

/// Cosines and sines of one recipe in binary32.
///
/// shape   cos, sin [positions, rotary_dim / 2]
struct recipe_rows {
  std::string_view recipe;
  std::vector<float> cos;
  std::vector<float> sin;
};

/// The rows of all recipes, attention factor included, in the order of known_recipes.
std::vector<recipe_rows> rows_of_recipes(const rope& config, std::span<const std::int64_t> positions);

}  // namespace ropewalk::array
