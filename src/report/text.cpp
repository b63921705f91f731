// The report as an aligned table for people.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "export/terminal.hpp"
#include "input/bad_input.hpp"
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

row cells(const result& one) {
  return {one.kernel,
          one.model,
          element_name(one),
          std::string(one.law.name),
          std::to_string(one.found.cases),
          std::to_string(wanted_of(one)),
          observed_of(one),
          bound_of(one),
          verdict_of(one)};
}

/// What all results have in a field, if they do.
std::optional<std::string> only_of(const results& of, std::string result::*field) {
  for (const result& one : of.lines)
    if (one.*field != of.lines.front().*field) return std::nullopt;
  return of.lines.empty() ? std::nullopt : std::optional(of.lines.front().*field);
}

std::string verdict_in_colour(const std::string& verdict, output::stream to) {
  if (verdict == "holds") return output::coloured(verdict, output::colour::green, to);
  if (verdict == "FAILS" || verdict == "not judged" || verdict == "not reproducible")
    return output::coloured(verdict, output::colour::red, to);
  return verdict;
}

/// Whether one row can stand for both results: the same kernel, law and finding, and, unless both hold, the
/// same model.
bool belong_together(const result& a, const result& b) {
  return a.kernel == b.kernel && a.law.name == b.law.name && finding_of(a) == finding_of(b) &&
         (finding_of(a) == finding::holds || a.model == b.model);
}

row folded_cells(const group& together) {
  const result* worst = together.front();
  std::int64_t cases = 0, wanted = 0;
  std::vector<std::string> dtypes, models;
  for (const result* one : together) {
    cases += one->found.cases;
    wanted += wanted_of(*one);
    add_once(dtypes, element_name(*one));
    add_once(models, one->model);
    if (one->found.worst.worst > worst->found.worst.worst) worst = one;
  }
  row r = cells(*worst);
  if (dtypes.size() > 1 && worst->found.worst.worst > 0 && !is_equality(*worst))
    r[7] += fmt::format(" ({})", r[2]);
  if (models.size() > 1) r[1] = fmt::format("{} models", models.size());
  r[2] = fmt::format("{}", fmt::join(dtypes, " "));
  r[4] = std::to_string(cases);
  r[5] = std::to_string(wanted);
  return r;
}

std::vector<row> rows_of(const results& of, detail shown) {
  const auto is_wanted = [=](const result& one) {
    // The screen lists these once, below the table.
    return shown == detail::everything || finding_of(one) != finding::not_served;
  };
  std::vector<row> r;
  for (const group& together : groups_of(of, shown, is_wanted, belong_together))
    r.push_back(folded_cells(together));
  return r;
}

std::string table(const results& of, detail shown, output::stream to) {
  const bool is_of_arrays =
      std::all_of(of.lines.begin(), of.lines.end(), [](const result& one) { return one.is_array; });
  std::vector<row> rows{{is_of_arrays ? "array" : "kernel", "model", "dtype", "law", "cases", "wanted",
                         "observed", "bound", "verdict"}};
  for (row& one : rows_of(of, shown)) rows.push_back(std::move(one));
  std::array<std::size_t, 9> width{};
  for (const row& one : rows)
    for (std::size_t i = 0; i < one.size(); ++i) width[i] = std::max(width[i], one[i].size());
  // The screen has the only kernel and the only model in its first line.
  const bool has_kernels = shown == detail::everything || !only_of(of, &result::kernel);
  const bool has_models = shown == detail::everything || !only_of(of, &result::model);
  std::string text;
  for (const row& one : rows) {
    for (std::size_t i = 0; i + 1 < one.size(); ++i) {
      if ((i == 0 && !has_kernels) || (i == 1 && !has_models)) continue;
      text += i == 4 || i == 5 ? fmt::format("{:>{}}  ", one[i], width[i])
                               : fmt::format("{:<{}}  ", one[i], width[i]);
    }
    text += (&one == rows.data() ? one.back() : verdict_in_colour(one.back(), to)) + "\n";
  }
  return text;
}

using range_worsts = std::array<search::range_worst, position_ranges>;

/// The worst observed / bound of each range, up to the first that fails.
std::string ratios_of(const range_worsts& of) {
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  std::string text;
  for (std::size_t k = 0; k < of.size(); ++k) {
    text += of[k].rotations > 0 ? fmt::format(" {:.2g}", of[k].worst) : " -";
    if (of[k].rotations > 0) fewest = std::min(fewest, of[k].rotations);
    if (of[k].worst > 1)  // larger positions may not have been tried
      return text + fmt::format(
                        " (fails, first seen at positions of 2^{}; farther ones may not have been asked)", k);
  }
  return text + fmt::format(" ({} rotated pairs or more in each)", fewest);
}

/// The worst observed / bound in each range of positions, over all models. On one screen, dtypes of a kernel
/// that fail in the same range share a line.
std::string ranges(const results& of, detail shown) {
  std::map<std::pair<std::string, std::string>, range_worsts> all;
  for (const result& one : of.lines) {
    if (!one.needs.one_range || one.found.compared == 0 || finding_of(one) == finding::measured) continue;
    range_worsts& merged = all[{one.kernel, element_name(one)}];
    for (std::size_t k = 0; k < position_ranges; ++k) {
      merged[k].worst = std::max(merged[k].worst, one.found.ranges[k].worst);
      merged[k].rotations += one.found.ranges[k].rotations;
    }
  }
  std::string held;
  std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> failed;  // by kernel and range
  for (const auto& [name, merged] : all) {
    const auto fails =
        std::find_if(merged.begin(), merged.end(), [](const auto& one) { return one.worst > 1; });
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
        "extrapolation: {} fails in {}, first seen at positions of 2^{}; nearer ones were asked few cases, "
        "farther ones perhaps none\n",
        where.first, fmt::join(dtypes, " "), where.second);
  return text.empty() ? text : "\n" + text;
}

// Failures that one screen shows whole: the first of so many kernels.
constexpr std::size_t whole_failures = 2;

/// Failures, the causes of each kernel after its first one.
std::string failures(const results& of, detail shown, output::stream to) {
  const std::vector<cause_text> causes = causes_of(of);
  const auto causes_in = [&](const std::string& kernel) {
    std::string text;
    for (const cause_text& one : causes)
      if (one.kernel == kernel) text += one.text;
    return text;
  };
  std::string text;
  std::int64_t also = 0;
  std::vector<std::string> told;  // kernels
  for (const result& one : of.lines) {
    if (one.found.holds()) continue;
    const bool is_first = std::find(told.begin(), told.end(), one.kernel) == told.end();
    if (!is_reported(one) || (shown == detail::screen && (!is_first || told.size() == whole_failures))) {
      ++also;
      continue;
    }
    add_once(told, one.kernel);
    text += fmt::format("\n{} {}, {}, {}, {}: {}\n{}",
                        output::coloured(verdict_of(one), output::colour::red, to), one.kernel, one.model,
                        element_name(one), one.law.name, one.law.statement, counterexample_of(one));
    if (is_first) text += causes_in(one.kernel);
  }
  for (const cause_text& one : causes)
    if (std::find(told.begin(), told.end(), one.kernel) == told.end()) text += one.text;
  if (also > 0)
    text +=
        fmt::format("\n{} more failure{}; {}--report json=FILE has them all\n", also, also == 1 ? "" : "s",
                    shown == detail::screen ? "--verbose has the first of each law, " : "");
  return text;
}

/// Why the exit code is 1 though no law fails.
std::string without_verdict(const results& of) {
  std::vector<std::string> r;
  std::int64_t count = 0;
  for (const result& one : of.lines)
    if (is_error(one, of) && ++count == 1)
      r.push_back(fmt::format("{} in {}: {}", one.law.name, element_name(one), why_not_judged(one)));
  if (count > 1) r.back() += fmt::format(" (and {} more)", count - 1);
  if (!of.ended.empty()) r.emplace_back("a process ended or was silent, as is said below");
  for (const std::string& one : errors_of(of))
    if (std::find(of.ended.begin(), of.ended.end(), one) == of.ended.end()) r.push_back(one);
  return fmt::format("{}", fmt::join(r, "; "));
}

/// The first line: whether the exit code is 0, how much was judged, and what is not as it should be.
std::string headline(const results& of, detail shown, output::stream to) {
  const totals sum = totals_of(of);
  std::int64_t wanted = 0;
  for (const result& one : of.lines)
    if (finding_of(one) != finding::not_served) wanted += wanted_of(one);
  const bool holds = all_hold(of);
  std::string text = holds ? output::coloured("PASS", output::colour::green, to)
                           : output::coloured("FAIL", output::colour::red, to);
  const std::int64_t judged = sum.lines - sum.not_served - sum.measured;
  text += judged == 0 && sum.measured > 0 ? ": no verdict"
                                          : fmt::format(": {} of {} verdicts hold", sum.held, judged);
  if (sum.failed > 0) text += fmt::format(", {} fail", sum.failed);
  text += rarer_words_of(sum) + fmt::format("; {} cases judged, {} wanted", sum.cases, wanted);
  std::string_view before = "; ";
  for (const auto field : {&result::kernel, &result::model})
    if (const auto only = only_of(of, field); only && shown == detail::screen)
      text += std::string(std::exchange(before, ", ")) + *only;
  text += "\n";
  if (!holds && sum.failed == 0) text += "exit code 1, though no law fails: " + without_verdict(of) + "\n";
  return text;
}

std::string summary(const results& of) {
  const totals sum = totals_of(of);
  std::string text = of.limits.empty() ? "" : "\n";
  for (const std::string& one : of.limits) text += one + "\n";
  if (!of.failed_on.empty()) text += "\n";
  for (const std::string& one : of.failed_on) text += "--fail-on: " + printable(one) + "\n";
  if (!of.not_judged.empty()) text += "\n";
  for (const std::string& one : of.not_judged) text += one + "\n";
  if (!of.awaits.empty()) text += "\n";
  for (const std::string& one : of.awaits) text += "to shrink and explain: " + printable(one) + "\n";
  if (!of.ended.empty()) text += "\n";
  for (const std::string& one : of.ended) text += "FAILS " + one + "\n";
  if (!of.printed.empty()) text += "\n";
  for (const std::string& one : of.printed) text += one + "\n";
  if (!of.cut.empty()) text += "\n" + of.cut + "\n";
  for (const std::string& one : accepted(of)) text += "\n" + one + "\n";
  text += fmt::format("\n{}; {} cases in {:.1f} s on {} thread{}; seed {}{}\n", words_of(sum), sum.cases,
                      of.seconds, of.threads, of.threads == 1 ? "" : "s", of.seed,
                      of.interrupted ? "; interrupted" : "");
  if (!of.device.empty()) text += fmt::format("Vulkan: {}\n", of.device);
  return text + fmt::format("ropewalk {}, {}, {}\n", version, compiler(), processor());
}

}  // namespace

std::string overview_of(const results& of, detail shown, output::stream to, int columns) {
  return is_matrix(of, shown) ? as_matrix(of, columns, to) : table(of, shown, to) + ranges(of, shown);
}

std::string verdicts_as_text(const results& found, detail shown, output::stream to, int columns) {
  const results of = with_short_names(with_plain_names(found));
  return headline(of, shown, to) + "\n" + overview_of(of, shown, to, columns) + remarks_of(of, shown);
}

std::string findings_as_text(const results& found, detail shown, output::stream to) {
  const results of = with_short_names(with_plain_names(found));
  return failures(of, shown, to) + arrays_of(of, shown) + kept_promises_of(of) + summary(of);
}

std::string as_text(const results& found, detail shown, output::stream to, int columns) {
  return verdicts_as_text(found, shown, to, columns) + findings_as_text(found, shown, to);
}

}  // namespace ropewalk::report
