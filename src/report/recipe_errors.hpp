#pragma once
// The errors of engines' recipes over the context of models, as a table.

#include <span>
#include <string>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "sweep/tally.hpp"

namespace ropewalk::report {

/// What a sweep over one model's context found of one recipe.
struct recipe_errors {
  std::string recipe;
  sweep::format_tally tally;
};

struct model_errors {
  std::string model;
  position_range positions{};
  std::vector<recipe_errors> recipes;
};

/// GitHub-flavoured Markdown, one row a model; for each recipe, the share of its entries that are wrong, the
/// largest absolute error, and where that is. All models have the same recipes.
std::string recipe_errors_as_markdown(std::span<const model_errors> models);

}  // namespace ropewalk::report
