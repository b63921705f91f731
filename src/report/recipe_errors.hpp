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
  sweep::format_tally found;
};

struct model_errors {
  std::string model;
  position_range positions{};
  std::vector<recipe_errors> recipes;
};

/// One row a model and recipe, of GitHub-flavoured Markdown: wrong entries, their share, the largest absolute
/// error and where it is.
std::string recipe_errors_as_markdown(std::span<const model_errors> models);

}  // namespace ropewalk::report
