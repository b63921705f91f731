#include "report/recipe_errors.hpp"

#include <fmt/format.h>

#include "output/plain_text.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {
namespace {

std::string positions_text(position_range positions) {
  return positions.begin == 0 ? std::to_string(positions.end)
                              : fmt::format("{}:{}", positions.begin, positions.end);
}

/// "92.1 %, 0.0077 at sin 131070, 3": share of wrong entries, largest error, its position and pair.
std::string errors_text(const sweep::format_tally& tally) {
  const double share = 100.0 * static_cast<double>(tally.wrong) / static_cast<double>(tally.entries);
  if (!tally.largest_error) return "none wrong";
  const sweep::entry_place& at = tally.largest_error->place;
  return fmt::format("{:.3g} %, {:.2g} at {} {}, {}", share, tally.largest_error->error,
                     at.is_sin ? "sin" : "cos", at.position, at.pair);
}

}  // namespace

std::string recipe_errors_as_markdown(std::span<const model_errors> models) {
  if (models.empty()) return "";
  std::string text = "| model | positions | entries |", line = "|---|---:|---:|";
  for (const recipe_errors& errors : models.front().recipes) {
    text += fmt::format(" {}, {} |", errors.recipe, name_of(errors.tally.dtype));
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const model_errors& model : models) {
    text += fmt::format("| {} | {} | {} |", output::markup_text(model.model), positions_text(model.positions),
                        model.recipes.front().tally.entries);
    for (const recipe_errors& errors : model.recipes) text += " " + errors_text(errors.tally) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace ropewalk::report
