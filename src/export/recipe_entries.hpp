#pragma once
// The values that the known recipes compute for one entry.

#include <cstdint>
#include <string_view>
#include <vector>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::output {

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

}  // namespace ropewalk::output
