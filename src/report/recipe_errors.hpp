#pragma once
// A table of the errors of engines' recipes over the context of models.

#include <span>
#include <string>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "sweep/tally.hpp"

namespace ropewalk::report {

/// Results of a sweep for one recipe, over one model's context.
struct recipe_errors {
  std::string recipe;
  sweep::format_tally tally;
};

struct model_errors {
  std::string model;
  position_range positions{};
  std::vector<recipe_errors> recipes;
};

/// GitHub-flavoured Markdown, one row per model. For each recipe: the share of wrong entries, the largest
/// absolute error, and its place. All models have the same recipes.
std::string recipe_errors_as_markdown(std::span<const model_errors> models);

}  // namespace ropewalk::report
