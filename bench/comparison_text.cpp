#include "bench/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "bench/log_change.hpp"
#include "input/bad_input.hpp"
#include "output/terminal.hpp"

namespace ropewalk::bench {
namespace {

constexpr std::size_t longest_line = 100;
constexpr std::size_t shortest_label = 20;
constexpr int finding_width = 12;  // width of the longest verdict

/// A factor as a change in percent; beyond tenfold, as the factor.
std::string percent_text(double factor) {
  constexpr double most_percent = 10, most = 999;
  if (factor > most) return fmt::format(">x{:.0f}", most);
  if (factor >= most_percent) return fmt::format("x{:.0f}", factor);
  return fmt::format("{:+.1f}", (factor - 1) * 100);
}

std::string number_text(const row_comparison& row, double value) {
  if (!row.is_ratio) return measure::time_text(value);
  return value < 0.01 ? fmt::format("{:.1e}", value) : fmt::format("{:.2f}", value);
}

std::string line_of(std::string_view label, std::size_t width, const row_cells& cells,
                    std::string_view finding) {
  return fmt::format("{:<{}} {:>7} {:>7} {:>7} {:>16}  {}\n", printable(label, width), width, cells.before,
                     cells.after, cells.change, cells.interval, finding);
}

std::string coloured_finding(const row_comparison& row) {
  const std::string text(name_of(row.verdict));
  if (row.verdict == verdict::slower) return output::coloured(text, output::colour::red, output::stream::out);
  if (row.verdict == verdict::faster)
    return output::coloured(text, output::colour::green, output::stream::out);
  return text;
}

std::string indented(std::string_view text) {
  constexpr std::string_view indent = "  ";
  return std::string(indent) + printable(text, longest_line - indent.size()) + "\n";
}

std::size_t label_width(const comparison& comparison) {
  constexpr std::size_t others = 7 + 1 + 7 + 1 + 7 + 1 + 16 + 2 + 1 + finding_width;
  std::size_t longest = shortest_label;
  for (const row_comparison& row : comparison.rows) longest = std::max(longest, row.label.size());
  return std::min(longest, longest_line - others);
}

/// Explanation of the numbers, in two lines.
std::string explanation_in_text(const comparison& comparison) {
  std::string text = fmt::format(
      "before, after: times as ratios to the interleaved baseline; intervals: {:.0f} % for all rows\n",
      (1 - family_error) * 100);
  if (!std::isnan(comparison.other))
    text +=
        fmt::format("the baseline, such as memcpy, took x{:.2f} as long: the median row\n", comparison.other);
  return text;
}

std::string missing_rows(std::string_view run, const std::vector<std::string>& labels) {
  if (labels.empty()) return {};
  std::string text =
      fmt::format("\n{} row{} only in the {} run:\n", labels.size(), labels.size() == 1 ? "" : "s", run);
  for (const std::string& label : labels) text += indented(label);
  return text;
}

}  // namespace

row_cells cells_of(const row_comparison& row) {
  if (row.verdict == verdict::not_compared) return {"-", "-", "-", "-"};
  return {number_text(row, row.before), number_text(row, row.after), percent_text(row.change.median),
          fmt::format("{} to {}", percent_text(row.change.low), percent_text(row.change.high))};
}

std::string finding_of(const row_comparison& row) {
  std::string name(name_of(row.verdict));
  if (row.precision.trend != precision_trend::same) name += ", " + std::string(name_of(row.precision.trend));
  return name;
}

std::string summary_of(const comparison& comparison) {
  const auto counts = comparison.counts();
  const auto count = [&](verdict verdict) { return counts[static_cast<std::size_t>(verdict)]; };
  const double percent = comparison.threshold * 100;
  std::string text = fmt::format("{} of {} rows slower by more than {:.3g} %, {} faster, {} unchanged",
                                 count(verdict::slower), comparison.rows.size(), percent,
                                 count(verdict::faster), count(verdict::unchanged));
  for (const verdict judgement : {verdict::undecided, verdict::too_noisy, verdict::not_compared})
    if (count(judgement) > 0) text += fmt::format(", {} {}", count(judgement), name_of(judgement));
  return text;
}

std::string as_text(const comparison& comparison) {
  std::string text;
  for (const std::string& difference : comparison.differences)
    text += printable(difference, longest_line) + "\n";
  const std::size_t width = label_width(comparison);
  text += (text.empty() ? "" : "\n") + line_of("row", width, {"before", "after", "%", "interval"}, "found");
  for (const row_comparison& row : comparison.rows) {
    text += line_of(row.label, width, cells_of(row), coloured_finding(row));
    if (!row.why_not.empty()) text += indented(row.why_not);
    for (const std::string& line : row.precision.lines) text += indented(line);
    for (const std::string& note : row.notes) text += indented(note);
  }
  text += missing_rows("earlier", comparison.only_before) + missing_rows("later", comparison.only_after);
  return text + "\n" + explanation_in_text(comparison) + "\n" + summary_of(comparison) + "\n";
}

}  // namespace ropewalk::bench
