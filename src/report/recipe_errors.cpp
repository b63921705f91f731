#include "report/recipe_errors.hpp"

#include <fmt/format.h>

#include "export/plain_text.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {
namespace {

std::string positions_text(position_range of) {
  return of.begin == 0 ? std::to_string(of.end) : fmt::format("{}:{}", of.begin, of.end);
}

/// "92.1 %, 0.0077 at sin 131070, 3": share of wrong entries, largest error, its position and pair.
std::string errors_text(const sweep::format_tally& of) {
  const double share = 100.0 * static_cast<double>(of.wrong) / static_cast<double>(of.entries);
  if (!of.largest_error) return "none wrong";
  const sweep::entry_place& at = of.largest_error->place;
  return fmt::format("{:.3g} %, {:.2g} at {} {}, {}", share, of.largest_error->error,
                     at.is_sin ? "sin" : "cos", at.position, at.pair);
}

}  // namespace

std::string recipe_errors_as_markdown(std::span<const model_errors> models) {
  if (models.empty()) return "";
  std::string text = "| model | positions | entries |", line = "|---|---:|---:|";
  for (const recipe_errors& of : models.front().recipes) {
    text += fmt::format(" {}, {} |", of.recipe, name_of(of.found.dtype));
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const model_errors& one : models) {
    text += fmt::format("| {} | {} | {} |", output::markup_text(one.model), positions_text(one.positions),
                        one.recipes.front().found.entries);
    for (const recipe_errors& of : one.recipes) text += " " + errors_text(of.found) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace ropewalk::report
