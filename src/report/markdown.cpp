// Writes the report as GitHub-flavoured Markdown, which is also the step summary of GitHub Actions.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output/plain_text.hpp"
#include "report/report.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::report {

using output::markup_code;
using output::markup_text;
using output::plain_line;
using output::plain_text;

using namespace verify;

namespace {

// GitHub shows at most 1 MiB of a step summary: caps on failure rows, and on failures with counterexamples.
constexpr std::size_t most_rows = 500;
constexpr std::size_t most_counterexamples = 100;
constexpr std::size_t most_arrays = 4;  // each is described
constexpr int block_columns = 100;

/// A row of a table of Markdown cells.
std::string row_of(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string table_head(std::initializer_list<const char*> names) {
  std::string rule = "|";
  for (std::size_t i = 0; i < names.size(); ++i) rule += "---|";
  return row_of({names.begin(), names.end()}) + rule + "\n";
}

/// A block of literal text, with a fence longer than any in the text.
std::string literal_block(const std::string& text) {
  std::size_t longest = 2, run = 0;
  const std::string plain = plain_text(text);
  for (const char letter : plain) {
    run = letter == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}text\n{}{}{}\n", fence, plain, plain.ends_with('\n') ? "" : "\n", fence);
}

/// At most most_rows lines of a text.
std::string first_lines(const std::string& text) {
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < most_rows && end < text.size(); ++lines)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return end < text.size() ? text.substr(0, end) + "...\n" : text;
}

/// A collapsed section; `title` is HTML.
std::string unfolding(const std::string& title, const std::string& text) {
  return fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", title, literal_block(text));
}

/// Non-empty lines as a list.
std::string bullets(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (end > 0) text += "- " + markup_text(lines.substr(0, end)) + "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text.empty() ? text : "\n" + text;
}

std::string bullets(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += plain_line(line) + "\n";
  return bullets(text);
}

/// The number of results per finding.
std::string totals_table(const totals& sum) {
  const std::pair<const char*, std::int64_t> all[] = {{"verdicts", sum.lines},
                                                      {"hold", sum.count},
                                                      {"fail", sum.failed},
                                                      {"not served", sum.not_served},
                                                      {"vacuous", sum.vacuous},
                                                      {"measured", sum.measured},
                                                      {"not judged", sum.not_judged},
                                                      {"compared nothing", sum.nothing_compared},
                                                      {"without a bound", sum.no_bound},
                                                      {"not run", sum.not_run},
                                                      {"cases", sum.cases}};
  std::vector<std::string> names, rules, counts;
  for (const auto& [name, count] : all) {
    if (count == 0 && name != all[1].first && name != all[2].first) continue;
    names.emplace_back(name);
    rules.emplace_back("--:");
    counts.push_back(std::to_string(count));
  }
  return row_of(names) + row_of(rules) + row_of(counts);
}

/// A table of the failures.
std::string failure_table(const results& results) {
  std::string text;
  std::size_t rows = 0;
  for (const result& line : results.lines) {
    if (line.outcome.holds() || ++rows > most_rows) continue;
    text += row_of({markup_code(line.kernel), markup_code(line.model), element_name(line),
                    markup_text(line.law.name), markup_text(observed_of(line)), markup_text(bound_of(line)),
                    markup_text(verdict_of(line))});
  }
  if (rows == 0) return text;
  text = "\n" + table_head({"kernel", "model", "dtype", "law", "observed", "bound", "verdict"}) + text;
  if (rows > most_rows)
    text += fmt::format("\n{} more failures: --report json=FILE has them all\n", rows - most_rows);
  return text;
}

/// The smallest case of each failure that is reported in full.
std::string smallest_cases(const results& results) {
  std::string text;
  std::size_t count = 0;
  for (const result& line : results.lines) {
    if (line.outcome.holds() || !is_reported(line) || ++count > most_counterexamples) continue;
    text += unfolding(fmt::format("{} {}, {}, {}, {}: {}", verdict_of(line), markup_code(line.kernel),
                                  markup_code(line.model), element_name(line), line.law.name,
                                  markup_text(line.law.statement)),
                      counterexample_of(line));
  }
  return text;
}

std::string verdict_heading(const results& results) {
  const totals sum = totals_of(results);
  const std::string name = results.interrupted ? "interrupted"
                           : all_hold(results) ? "holds"
                           : sum.failed > 0    ? fmt::format("{} of {} verdicts fail", sum.failed, sum.lines)
                                               : "not everything was judged";
  return fmt::format("### ropewalk verify: {}\n\n{}", name, totals_table(sum));
}

/// The commands that ran, the machine, and how to repeat them.
std::string origin_text(const results& results) {
  std::string text = fmt::format("\n{}\nSeed {}, {:.1f} s on {} thread{}; ropewalk {}, {}, {}",
                                 literal_block(results.command_line), results.seed, results.seconds,
                                 results.threads, results.threads == 1 ? "" : "s", version,
                                 markup_text(compiler()), markup_text(processor()));
  if (!results.device.empty()) text += "; " + markup_text(results.device);
  return text + "\n";
}

}  // namespace

std::string as_markdown(const results& summary) {
  const results results = with_plain_names(summary);
  std::string text = verdict_heading(results);
  std::vector<std::string> errors;
  for (const std::string& name : results.ended) errors.push_back("FAILS " + name);
  for (const std::string& name : results.failed_on) errors.push_back("--fail-on: " + name);
  errors.insert(errors.end(), results.not_judged.begin(), results.not_judged.end());
  text +=
      bullets(errors) + failure_table(results) + smallest_cases(results) + bullets(conclusions_of(results));
  std::vector<std::string> left_out = results.printed;
  left_out.insert(left_out.end(), results.limits.begin(), results.limits.end());
  for (const std::string& name : {results.left_out, results.cut})
    if (!name.empty()) left_out.push_back(name);
  for (const std::string& name : accepted(results)) left_out.push_back(name);
  for (const std::string& await : results.awaits) left_out.push_back("to shrink and explain: " + await);
  text += bullets(left_out) + bullets(remarks_of(results, detail::screen));
  if (!results.arrays.empty())
    text += unfolding(
        "arrays", first_lines(arrays_of(
                      results, results.arrays.size() > most_arrays ? detail::screen : detail::everything)));
  if (!results.lines.empty())
    text += unfolding("every law",
                      first_lines(overview_of(results, detail::screen, output::stream::out, block_columns)));
  return text + origin_text(results);
}

}  // namespace ropewalk::report
