#include "export/recipe_entries.hpp"

#include "kernel/recipe/recipes.hpp"

namespace ropewalk::output {

std::vector<recipe_entry> recipe_entries(const rope& config, std::int64_t position, int pair) {
  const recipe::frequencies from = recipe::from_config(config);
  const auto pairs = static_cast<std::size_t>(pair_count(config)), at = static_cast<std::size_t>(pair);
  std::vector<recipe_entry> r;
  std::vector<float> cos(pairs), sin(pairs);
  for (const recipe::known_recipe& one : recipe::known_recipes()) {
    one.row(from, position, false, cos.data(), sin.data());
    r.push_back({one.name, cos[at], sin[at]});
  }
  return r;
}

}  // namespace ropewalk::output
