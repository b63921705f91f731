#include "report/recipe_errors.hpp"

#include <fmt/format.h>

#include "export/plain_text.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {
namespace {

std::string positions_text(position_range of) {
  return of.begin == 0 ? std::to_string(of.end) : fmt::format("{}:{}", of.begin, of.end);
}

std::string errors_text(const sweep::format_tally& of) {
  const double share = 100.0 * static_cast<double>(of.wrong) / static_cast<double>(of.entries);
  std::string text = fmt::format("{} | {} | {:.1f} % |", of.entries, of.wrong, share);
  if (!of.largest_error) return text + " 0 | |";
  const sweep::entry_place& at = of.largest_error->place;
  return text + fmt::format(" {:.2g} | {} of position {}, pair {} |", of.largest_error->error,
                            at.is_sin ? "sin" : "cos", at.position, at.pair);
}

}  // namespace

std::string recipe_errors_as_markdown(std::span<const model_errors> models) {
  std::string text =
      "| model | positions | recipe | entries | wrong | share | largest error | at |\n"
      "|---|---:|---|---:|---:|---:|---:|---|\n";
  for (const model_errors& one : models)
    for (const recipe_errors& of : one.recipes)
      text += fmt::format("| {} | {} | {}, {} | {}\n", output::markup_text(one.model),
                          positions_text(one.positions), of.recipe, name_of(of.found.dtype),
                          errors_text(of.found));
  return text;
}

}  // namespace ropewalk::report
