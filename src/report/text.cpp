// Writes the report as an aligned table.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "input/bad_input.hpp"
#include "output/terminal.hpp"
#include "report/groups.hpp"
#include "report/matrix.hpp"
#include "report/once.hpp"
#include "report/report.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/version.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

using row = std::array<std::string, 9>;

row cells(const result& result) {
  return {result.kernel,
          result.model,
          element_name(result),
          std::string(result.law.name),
          std::to_string(result.outcome.cases),
          std::to_string(wanted_of(result)),
          observed_of(result),
          bound_of(result),
          verdict_of(result)};
}

/// The value of a field that all results share, if any.
std::optional<std::string> only_of(const results& results, std::string result::*field) {
  for (const result& line : results.lines)
    if (line.*field != results.lines.front().*field) return std::nullopt;
  return results.lines.empty() ? std::nullopt : std::optional(results.lines.front().*field);
}

std::string verdict_in_colour(const std::string& verdict, output::stream to) {
  if (verdict == "holds") return output::coloured(verdict, output::colour::green, to);
  if (verdict == "FAILS" || verdict == "not judged" || verdict == "not reproducible")
    return output::coloured(verdict, output::colour::red, to);
  return verdict;
}

/// Whether one row can represent both results: same kernel, law and finding, and same model unless both hold.
bool belong_together(const result& a, const result& b) {
  return a.kernel == b.kernel && a.law.name == b.law.name && finding_of(a) == finding_of(b) &&
         (finding_of(a) == finding::holds || a.model == b.model);
}

row folded_cells(const group& together) {
  const result* worst = together.front();
  std::int64_t cases = 0, count = 0;
  std::vector<std::string> dtypes, models;
  for (const result* result : together) {
    cases += result->outcome.cases;
    count += wanted_of(*result);
    add_once(dtypes, element_name(*result));
    add_once(models, result->model);
    if (result->outcome.worst.worst > worst->outcome.worst.worst) worst = result;
  }
  row entries = cells(*worst);
  if (dtypes.size() > 1 && worst->outcome.worst.worst > 0 && !is_equality(*worst))
    entries[7] += fmt::format(" ({})", entries[2]);
  if (models.size() > 1) entries[1] = fmt::format("{} models", models.size());
  entries[2] = fmt::format("{}", fmt::join(dtypes, " "));
  entries[4] = std::to_string(cases);
  entries[5] = std::to_string(count);
  return entries;
}

std::vector<row> rows_of(const results& results, detail shown) {
  const auto is_wanted = [=](const result& result) {
    // The screen lists these once, below the table.
    return shown == detail::everything || finding_of(result) != finding::not_served;
  };
  std::vector<row> rows;
  for (const group& together : groups_of(results, shown, is_wanted, belong_together))
    rows.push_back(folded_cells(together));
  return rows;
}

std::string table(const results& results, detail shown, output::stream to) {
  const bool is_of_arrays = std::all_of(results.lines.begin(), results.lines.end(),
                                        [](const result& result) { return result.is_array; });
  std::vector<row> rows{{is_of_arrays ? "array" : "kernel", "model", "dtype", "law", "cases", "wanted",
                         "observed", "bound", "verdict"}};
  for (row& cells : rows_of(results, shown)) rows.push_back(std::move(cells));
  std::array<std::size_t, 9> width{};
  for (const row& cells : rows)
    for (std::size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], cells[i].size());
  // The screen has the only kernel and the only model in its first line.
  const bool has_kernels = shown == detail::everything || !only_of(results, &result::kernel);
  const bool has_models = shown == detail::everything || !only_of(results, &result::model);
  std::string text;
  for (const row& cells : rows) {
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
      if ((i == 0 && !has_kernels) || (i == 1 && !has_models)) continue;
      text += i == 4 || i == 5 ? fmt::format("{:>{}}  ", cells[i], width[i])
                               : fmt::format("{:<{}}  ", cells[i], width[i]);
    }
    text += (&cells == rows.data() ? cells.back() : verdict_in_colour(cells.back(), to)) + "\n";
  }
  return text;
}

using range_worsts = std::array<search::range_worst, position_ranges>;

/// The worst observed / bound of each range, up to the first failing range.
std::string ratios_of(const range_worsts& worsts) {
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  std::string text;
  for (std::size_t k = 0; k < worsts.size(); ++k) {
    text += worsts[k].rotations > 0 ? fmt::format(" {:.2g}", worsts[k].worst) : " -";
    if (worsts[k].rotations > 0) fewest = std::min(fewest, worsts[k].rotations);
    if (worsts[k].worst > 1)  // larger positions may not have been tried
      return text + fmt::format(
                        " (fails, first seen at positions of 2^{}; farther ones may not have been tried)", k);
  }
  return text + fmt::format(" ({} rotated pairs or more in each)", fewest);
}

/// The worst observed / bound per range of positions, over all models. On one screen, dtypes of a kernel that
/// fail in the same range share a line.
std::string ranges(const results& results, detail shown) {
  std::map<std::pair<std::string, std::string>, range_worsts> all;
  for (const result& line : results.lines) {
    if (!line.needs.one_range || line.outcome.compared == 0 || finding_of(line) == finding::measured)
      continue;
    range_worsts& merged = all[{line.kernel, element_name(line)}];
    for (std::size_t k = 0; k < position_ranges; ++k) {
      merged[k].worst = std::max(merged[k].worst, line.outcome.ranges[k].worst);
      merged[k].rotations += line.outcome.ranges[k].rotations;
    }
  }
  std::string held;
  std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> failed;  // by kernel and range
  for (const auto& [name, merged] : all) {
    const auto fails =
        std::find_if(merged.begin(), merged.end(), [](const auto& item) { return item.worst > 1; });
    if (shown == detail::screen && fails != merged.end())
      failed[{name.first, static_cast<std::size_t>(fails - merged.begin())}].push_back(name.second);
    else
      held += fmt::format("  {} {}:{}\n", name.first, name.second, ratios_of(merged));
  }
  std::string text;
  if (!held.empty())
    text +=
        "extrapolation: worst observed / bound at positions of +-[2^k, 2^(k + 1)), k = 0 .. 30; -: not "
        "asked\n" +
        held;
  for (const auto& [where, dtypes] : failed)
    text += fmt::format(
        "extrapolation: {} fails in {}, first seen at positions of 2^{}; few cases ran at nearer ones, "
        "farther ones perhaps none\n",
        where.first, fmt::join(dtypes, " "), where.second);
  return text.empty() ? text : "\n" + text;
}

// Number of kernels whose first failure one screen shows in full.
constexpr std::size_t whole_failures = 2;

/// Failures, with a kernel's causes after its first failure.
std::string failures(const results& results, detail shown, output::stream to) {
  const std::vector<cause_text> causes = causes_of(results);
  const auto causes_in = [&](const std::string& kernel) {
    std::string text;
    for (const cause_text& cause : causes)
      if (cause.kernel == kernel) text += cause.text;
    return text;
  };
  std::string text;
  std::int64_t also = 0;
  std::vector<std::string> names;  // kernels
  for (const result& line : results.lines) {
    if (line.outcome.holds()) continue;
    const bool is_first = std::find(names.begin(), names.end(), line.kernel) == names.end();
    if (!is_reported(line) || (shown == detail::screen && (!is_first || names.size() == whole_failures))) {
      ++also;
      continue;
    }
    add_once(names, line.kernel);
    text += fmt::format("\n{} {}, {}, {}, {}: {}\n{}",
                        output::coloured(verdict_of(line), output::colour::red, to), line.kernel, line.model,
                        element_name(line), line.law.name, line.law.statement, counterexample_of(line));
    if (is_first) text += causes_in(line.kernel);
  }
  for (const cause_text& cause : causes)
    if (std::find(names.begin(), names.end(), cause.kernel) == names.end()) text += cause.text;
  if (also > 0)
    text +=
        fmt::format("\n{} more failure{}; {}--report json=FILE has them all\n", also, also == 1 ? "" : "s",
                    shown == detail::screen ? "--verbose has the first of each law, " : "");
  return text;
}

/// Why the exit code is 1 although no law fails.
std::string without_verdict(const results& results) {
  std::vector<std::string> names;
  std::int64_t count = 0;
  for (const result& line : results.lines)
    if (is_error(line, results) && ++count == 1)
      names.push_back(fmt::format("{} in {}: {}", line.law.name, element_name(line), why_not_judged(line)));
  if (count > 1) names.back() += fmt::format(" (and {} more)", count - 1);
  if (!results.ended.empty()) names.emplace_back("a process ended or did not answer; see below");
  for (const std::string& error : errors_of(results))
    if (std::find(results.ended.begin(), results.ended.end(), error) == results.ended.end())
      names.push_back(error);
  return fmt::format("{}", fmt::join(names, "; "));
}

/// The first line: whether the exit code is 0, how much was judged, and deviations.
std::string headline(const results& results, detail shown, output::stream to) {
  const totals sum = totals_of(results);
  std::int64_t count = 0;
  for (const result& line : results.lines)
    if (finding_of(line) != finding::not_served) count += wanted_of(line);
  const bool holds = all_hold(results);
  std::string text = holds ? output::coloured("PASS", output::colour::green, to)
                           : output::coloured("FAIL", output::colour::red, to);
  const std::int64_t judged = sum.lines - sum.not_served - sum.measured;
  text += judged == 0 && sum.measured > 0 ? ": no verdict"
                                          : fmt::format(": {} of {} verdicts hold", sum.count, judged);
  if (sum.failed > 0) text += fmt::format(", {} fail", sum.failed);
  text += rarer_words_of(sum) + fmt::format("; {} cases judged, {} wanted", sum.cases, count);
  std::string_view before = "; ";
  for (const auto field : {&result::kernel, &result::model})
    if (const auto only = only_of(results, field); only && shown == detail::screen)
      text += std::string(std::exchange(before, ", ")) + *only;
  text += "\n";
  if (!holds && sum.failed == 0)
    text += "exit code 1, though no law fails: " + without_verdict(results) + "\n";
  return text;
}

std::string summary(const results& results) {
  const totals sum = totals_of(results);
  std::string text = results.limits.empty() ? "" : "\n";
  for (const std::string& limit : results.limits) text += limit + "\n";
  if (!results.failed_on.empty()) text += "\n";
  for (const std::string& name : results.failed_on) text += "--fail-on: " + printable(name) + "\n";
  if (!results.not_judged.empty()) text += "\n";
  for (const std::string& name : results.not_judged) text += name + "\n";
  if (!results.awaits.empty()) text += "\n";
  for (const std::string& await : results.awaits) text += "to shrink and explain: " + printable(await) + "\n";
  if (!results.ended.empty()) text += "\n";
  for (const std::string& name : results.ended) text += "FAILS " + name + "\n";
  if (!results.printed.empty()) text += "\n";
  for (const std::string& name : results.printed) text += name + "\n";
  if (!results.cut.empty()) text += "\n" + results.cut + "\n";
  for (const std::string& name : accepted(results)) text += "\n" + name + "\n";
  text += fmt::format("\n{}; {} cases in {:.1f} s on {} thread{}; seed {}{}\n", words_of(sum), sum.cases,
                      results.seconds, results.threads, results.threads == 1 ? "" : "s", results.seed,
                      results.interrupted ? "; interrupted" : "");
  if (!results.device.empty()) text += fmt::format("Vulkan: {}\n", results.device);
  return text + fmt::format("ropewalk {}, {}, {}\n", version, compiler(), processor());
}

}  // namespace

std::string overview_of(const results& results, detail shown, output::stream to, int columns) {
  return is_matrix(results, shown) ? as_matrix(results, columns, to)
                                   : table(results, shown, to) + ranges(results, shown);
}

std::string verdicts_as_text(const results& summary, detail shown, output::stream to, int columns) {
  const results results = with_short_names(with_plain_names(summary));
  return headline(results, shown, to) + "\n" + overview_of(results, shown, to, columns) +
         remarks_of(results, shown);
}

std::string findings_as_text(const results& verified, detail shown, output::stream to) {
  const results results = with_short_names(with_plain_names(verified));
  return failures(results, shown, to) + arrays_of(results, shown) + kept_promises_of(results) +
         summary(results);
}

std::string as_text(const results& results, detail shown, output::stream to, int columns) {
  return verdicts_as_text(results, shown, to, columns) + findings_as_text(results, shown, to);
}

}  // namespace ropewalk::report
