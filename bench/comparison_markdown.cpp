// Writes markdown for a pull request: changes are visible at once, the rest unfolds.

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "bench/comparison_text.hpp"
#include "bench/log_change.hpp"
#include "output/plain_text.hpp"

namespace ropewalk::bench {
namespace {

using output::markup_code;
using output::markup_text;

constexpr std::string_view table_head =
    "| row | before | after | change, % | interval | found |\n|---|--:|--:|--:|--:|---|\n";

std::string row_of(const row_comparison& row) {
  const row_cells cells = cells_of(row);
  const std::string name = markup_text(finding_of(row));
  const bool is_change = row.verdict == verdict::slower || row.verdict == verdict::faster;
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", markup_code(row.label), cells.before, cells.after,
                     cells.change, cells.interval, is_change ? "**" + name + "**" : name);
}

std::string notes_of(const row_comparison& row) {
  std::string text;
  std::vector<std::string> notes = row.precision.lines;
  notes.insert(notes.end(), row.notes.begin(), row.notes.end());
  for (const std::string& note : notes)
    text += fmt::format("- {}: {}\n", markup_code(row.label), markup_text(note));
  if (!row.why_not.empty())
    text +=
        fmt::format("- {}: {}: {}\n", markup_code(row.label), name_of(row.verdict), markup_text(row.why_not));
  return text;
}

/// The rows with news, or those without.
std::string table_of(const comparison& comparison, bool with_news) {
  std::string rows, notes;
  for (const row_comparison& row : comparison.rows) {
    if (row.is_news() != with_news) continue;
    rows += row_of(row);
    notes += notes_of(row);
  }
  if (rows.empty()) return {};
  return "\n" + std::string(table_head) + rows + (notes.empty() ? "" : "\n" + notes);
}

std::string unfolding(std::string_view title, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("\n<details><summary>{}</summary>\n{}\n</details>\n", title, text);
}

std::string missing_rows(const comparison& comparison) {
  std::string text;
  for (const std::string& label : comparison.only_before)
    text += fmt::format("- only in the earlier run: {}\n", markup_code(label));
  for (const std::string& label : comparison.only_after)
    text += fmt::format("- only in the later run: {}\n", markup_code(label));
  return text.empty() ? text : "\n" + text;
}

std::string explanation_of(const comparison& comparison) {
  std::string text = fmt::format(
      "\nTimes are ratios to the interleaved baseline, such as memcpy of the same bytes. Intervals "
      "hold for all rows together with {:.0f} %; a change is entirely beyond {:.3g} %.",
      (1 - family_error) * 100, comparison.threshold * 100);
  if (!std::isnan(comparison.other))
    text += fmt::format(" The baseline took x{:.2f} as long (the median row).", comparison.other);
  return text + "\n";
}

}  // namespace

std::string as_markdown(const comparison& comparison) {
  std::string text = "### ropewalk bench: " + summary_of(comparison) + "\n";
  std::string differences;
  for (const std::string& difference : comparison.differences)
    differences += "- " + markup_text(difference) + "\n";
  if (!differences.empty()) text += "\n" + differences;
  text += table_of(comparison, true) + unfolding("rows without a change", table_of(comparison, false)) +
          unfolding("rows of only one run", missing_rows(comparison));
  return text + explanation_of(comparison);
}

}  // namespace ropewalk::bench
