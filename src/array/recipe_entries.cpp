#include "array/recipe_entries.hpp"

#include "kernel/recipe/recipes.hpp"

namespace ropewalk::array {

std::vector<recipe_entry> recipe_entries(const rope& config, std::int64_t position, int pair) {
  const auto at = static_cast<std::size_t>(pair);
  std::vector<recipe_entry> entries;
  for (const recipe_rows& row : rows_of_recipes(config, std::span(&position, 1)))
    entries.push_back({row.recipe, row.cos[at], row.sin[at]});
  return entries;
}

std::vector<recipe_rows> rows_of_recipes(const rope& config, std::span<const std::int64_t> positions) {
  const recipe::frequencies from = recipe::from_config(config);
  const auto pairs = static_cast<std::size_t>(pair_count(config)), count = positions.size() * pairs;
  std::vector<recipe_rows> result;
  for (const recipe::known_recipe& known : recipe::known_recipes()) {
    recipe_rows rows{known.name, std::vector<float>(count), std::vector<float>(count)};
    for (std::size_t i = 0; i < positions.size(); ++i)
      known.row(from, positions[i], false, rows.cos.data() + i * pairs, rows.sin.data() + i * pairs);
    result.push_back(std::move(rows));
  }
  return result;
}

}  // namespace ropewalk::array
