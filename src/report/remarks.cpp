// Remarks of a report apart from verdicts: growth, vacuous bounds, and results that were not judged.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "input/bad_input.hpp"
#include "report/groups.hpp"
#include "report/matrix.hpp"
#include "report/once.hpp"
#include "report/report.hpp"
#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

/// Lists each reason once, with its number of results: "TITLE: REASON (3 verdicts)".
std::string listed(const char* title, const std::map<std::string, std::int64_t>& reasons) {
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, count] : reasons)
    text += fmt::format("{}: {} ({} verdict{})\n", title, printable(reason), count, count == 1 ? "" : "s");
  return text;
}

/// Lists the properties that exceed the limits of kernels, with the kernels' names. The dtypes that a kernel
/// does not serve share a line.
std::string not_served(const results& results) {
  std::map<std::string, std::vector<std::string>> kernels, dtypes;
  std::map<std::string, std::int64_t> counts, reasons;
  for (const result& line : results.lines) {
    if (finding_of(line) != finding::not_served) continue;
    add_once(kernels[line.beyond], line.kernel);
    ++counts[line.beyond];
  }
  std::map<std::string, std::int64_t> of_dtypes;
  for (const auto& [beyond, names] : kernels) {
    const std::string joined = fmt::format("{}", fmt::join(names, ", "));
    if (!dtype_named(beyond)) {
      reasons[joined + ": " + beyond] = counts[beyond];
      continue;
    }
    dtypes[joined].push_back(beyond);
    of_dtypes[joined] += counts[beyond];
  }
  for (const auto& [names, beyond] : dtypes)
    reasons[fmt::format("{}: {}", names, fmt::join(beyond, " "))] = of_dtypes[names];
  return listed("not served", reasons);
}

/// Results that were not judged, with the reason and the kernel's own text. One line per kernel, dtype and
/// law; if these are too many, per kernel; else per reason.
std::string not_judged(const results& results) {
  constexpr std::size_t most_lines = 24;
  std::map<std::string, std::int64_t> each, of_kernels, of_reasons;
  std::map<std::string, std::vector<std::string>> kernels;
  for (const result& line : results.lines) {
    if (finding_of(line) != finding::not_judged) continue;
    const std::string& said = line.outcome.declined_because;  // "status 3, FIELD: WORDS"
    const auto words = said.find(": ");
    const std::string why = why_not_judged(line) + (words == said.npos ? "" : "; " + said.substr(words + 2));
    ++each[fmt::format("{}, {}, {}: {}", line.kernel, element_name(line), line.law.name, why)];
    ++of_kernels[fmt::format("{}: {}", line.kernel, why)];
    ++of_reasons[why];
    add_once(kernels[why], line.kernel);
  }
  if (each.size() <= most_lines) return listed("not judged", each);
  if (of_kernels.size() <= most_lines) return listed("not judged", of_kernels);
  std::map<std::string, std::int64_t> with_kernels;
  for (const auto& [why, count] : of_reasons)
    with_kernels[fmt::format("{}: {}", fmt::join(kernels[why], ", "), why)] = count;
  return listed("not judged", with_kernels);
}

/// Cases set aside: no working precision decided a rounding, or the call needs too much memory.
std::string undecided(const results& results) {
  std::map<std::string, std::int64_t> reasons;
  for (const result& line : results.lines)
    if (line.outcome.undecided_cases > 0)
      reasons[fmt::format(
          "{}: {}, {}: {}",
          line.outcome.without_memory == line.outcome.undecided_cases ? "not asked" : "undecided",
          line.kernel, element_name(line), line.outcome.undecided)] += line.outcome.undecided_cases;
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, count] : reasons)
    text += fmt::format("{} ({} case{} set aside)\n", printable(reason), count, count == 1 ? "" : "s");
  return text;
}

std::string subject_of(const result& result) {
  return fmt::format("{}, {}, {}", result.kernel, result.model, element_name(result));
}

/// Cases with other bits when repeated in other memory.
std::string other_bits(const results& results) {
  std::map<std::string, std::array<std::int64_t, 2>> cases;
  for (const result& line : results.lines)
    if (line.outcome.other_bits > 0) {
      auto& [other, all] = cases[subject_of(line)];
      other += line.outcome.other_bits;
      all += line.outcome.cases;
    }
  std::string text = cases.empty() ? "" : "\n";
  for (const auto& [subject, counts] : cases)
    text += fmt::format("other bits when asked again in other memory: {}: {} of {} cases\n",
                        printable(subject), counts[0], counts[1]);
  return text;
}

double share_decided(const result& result) {
  return static_cast<double>(result.outcome.compared) /
         static_cast<double>(result.outcome.compared + result.outcome.vacuous);
}

/// The share of a law's comparisons that decide something, and the positions from which bounds are vacuous.
/// One screen shows the smallest share per kernel.
std::string vacuous(const results& results, detail shown) {
  const auto groups = groups_of(
      results, shown, [](const result& result) { return result.outcome.vacuous > 0; },
      [](const result& a, const result& b) { return a.kernel == b.kernel; });
  std::string text;
  for (const group& together : groups) {
    const result& line = **std::min_element(
        together.begin(), together.end(),
        [](const result* a, const result* b) { return share_decided(*a) < share_decided(*b); });
    text += fmt::format(
        "vacuous: {}, {}: {:.0f} % of {} comparisons decide, bounds of the others allow any answer",
        subject_of(line), line.law.name, 100 * share_decided(line),
        line.outcome.compared + line.outcome.vacuous);
    if (line.some_vacuous_from)
      text += fmt::format("; some pair decides nothing from position {} on", *line.some_vacuous_from);
    if (line.every_vacuous_from) text += fmt::format(", every pair from {} on", *line.every_vacuous_from);
    if (together.size() > 1) text += fmt::format(" (the least of {} verdicts)", together.size());
    text += "\n";
  }
  return text.empty() ? text : "\n" + text;
}

constexpr std::int64_t far_position = 131072;  // a usual context

/// Growth of errors that a promise allows to grow with the position. One screen shows the largest errors per
/// kernel.
std::string growths(const results& results, detail shown) {
  const auto groups = groups_of(
      results, shown, [](const result& result) { return finding_of(result) == finding::measured; },
      [](const result& a, const result& b) { return a.kernel == b.kernel; });
  const auto from = [](const std::optional<int>& range) {
    return range ? fmt::format("from positions of 2^{} on", *range) : std::string("nowhere that was asked");
  };
  std::string text;
  for (const group& together : groups) {
    const result& line =
        **std::max_element(together.begin(), together.end(), [](const result* a, const result* b) {
          return error_up_to(*a, far_position) < error_up_to(*b, far_position);
        });
    const verify::growth growth = growth_of(line);
    text += fmt::format(
        "growth: {}: extrapolation saw errors of up to {:.2g} of a pair's length at position 1, {:.2g} below "
        "{}; "
        "beyond 1 % {}, beyond 10 % {}{}\n",
        subject_of(line), error_up_to(line, 1), error_up_to(line, far_position - 1), far_position,
        from(growth.over_1_percent), from(growth.over_10_percent),
        together.size() > 1 ? fmt::format(" (the largest of {} verdicts)", together.size()) : "");
  }
  return text.empty() ? text : "\n" + text;
}

/// Reasons why promises have no bound, each once.
std::string without_bounds(const results& results) {
  std::map<std::string, std::int64_t> reasons;
  for (const result& line : results.lines)
    if (finding_of(line) == finding::no_bound)
      ++reasons[fmt::format("{}, {}, {}, {}: {}", line.kernel, line.model, element_name(line),
                            name_of(line.promised, line.operation), line.no_bound)];
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, count] : reasons)
    text += fmt::format("no bound: {} ({} law{})\n", reason, count, count == 1 ? "" : "s");
  return text;
}

}  // namespace

std::string remarks_of(const results& results, detail shown) {
  return growths(results, shown) + vacuous(results, shown) + not_served(results) + not_judged(results) +
         undecided(results) + other_bits(results) + without_bounds(results);
}

}  // namespace ropewalk::report
