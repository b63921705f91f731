// The report as an aligned table for people.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "export/terminal.hpp"
#include "input/bad_input.hpp"
#include "report/comparison.hpp"
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
          std::to_string(one.found.wanted),
          observed_of(one),
          bound_of(one),
          verdict_of(one)};
}

std::string verdict_in_colour(const std::string& verdict, output::stream to) {
  if (verdict == "holds") return output::coloured(verdict, output::colour::green, to);
  if (verdict == "FAILS" || verdict == "not judged" || verdict == "not reproducible")
    return output::coloured(verdict, output::colour::red, to);
  return verdict;
}

using group = std::vector<const result*>;

/// Groups the wanted results. On one screen, results that belong together
/// share a group; otherwise each is alone.
template <class IsWanted, class BelongTogether>
std::vector<group> groups_of(const results& of, detail shown, IsWanted is_wanted,
                             BelongTogether belong_together) {
  std::vector<group> r;
  for (const result& one : of.lines) {
    if (!is_wanted(one)) continue;
    const auto place = std::find_if(r.begin(), r.end(), [&](const group& so_far) {
      return shown == detail::screen && belong_together(*so_far.front(), one);
    });
    if (place == r.end())
      r.push_back({&one});
    else
      place->push_back(&one);
  }
  return r;
}

/// Whether one row can stand for both results: the same kernel and law, and both hold.
bool belong_together(const result& a, const result& b) {
  return a.kernel == b.kernel && a.law.name == b.law.name && finding_of(a) == finding::holds &&
         finding_of(b) == finding::holds;
}

row folded_cells(const group& together) {
  const result* worst = together.front();
  std::int64_t cases = 0, wanted = 0;
  std::vector<std::string> dtypes, models;
  for (const result* one : together) {
    cases += one->found.cases;
    wanted += one->found.wanted;
    add_once(dtypes, element_name(*one));
    add_once(models, one->model);
    if (one->found.worst.worst > worst->found.worst.worst) worst = one;
  }
  row r = cells(*worst);
  if (dtypes.size() > 1 && worst->found.worst.worst > 0) r[7] += fmt::format(" ({})", r[2]);
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
                         "worst observed", "bound", "verdict"}};
  for (row& one : rows_of(of, shown)) rows.push_back(std::move(one));
  std::array<std::size_t, 9> width{};
  for (const row& one : rows)
    for (std::size_t i = 0; i < one.size(); ++i) width[i] = std::max(width[i], one[i].size());
  std::string text;
  for (const row& one : rows) {
    for (std::size_t i = 0; i + 1 < one.size(); ++i)
      text += i == 4 || i == 5 ? fmt::format("{:>{}}  ", one[i], width[i])
                               : fmt::format("{:<{}}  ", one[i], width[i]);
    text += (&one == rows.data() ? one.back() : verdict_in_colour(one.back(), to)) + "\n";
  }
  return text;
}

/// The worst observed / bound in each range of positions, over all models.
std::string ranges(const results& of) {
  std::map<std::pair<std::string, std::string>, std::array<search::range_worst, position_ranges>> all;
  for (const result& one : of.lines) {
    if (!one.needs.one_range || one.found.compared == 0 || finding_of(one) == finding::measured) continue;
    auto& merged = all[{one.kernel, element_name(one)}];
    for (std::size_t k = 0; k < position_ranges; ++k) {
      merged[k].worst = std::max(merged[k].worst, one.found.ranges[k].worst);
      merged[k].rotations += one.found.ranges[k].rotations;
    }
  }
  if (all.empty()) return "";
  std::string text =
      "\nextrapolation: worst observed / bound at positions of +-[2^k, 2^(k + 1)), k = 0 .. 30; -: not "
      "asked\n";
  for (const auto& [name, merged] : all) {
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    text += fmt::format("  {} {}:", name.first, name.second);
    const auto fails =
        std::find_if(merged.begin(), merged.end(), [](const auto& one) { return one.worst > 1; });
    for (auto range = merged.begin(); range != merged.end(); ++range) {
      text += range->rotations > 0 ? fmt::format(" {:.2g}", range->worst) : " -";
      if (range->rotations > 0) fewest = std::min(fewest, range->rotations);
      if (range == fails) break;  // larger positions may not have been tried
    }
    text += fails == merged.end()
                ? fmt::format(" ({} rotated pairs or more in each)\n", fewest)
                : fmt::format(" (fails at positions of 2^{}; farther ones may not have been asked)\n",
                              fails - merged.begin());
  }
  return text;
}

/// Each reason once, with the number of results that it applies to: "TITLE: REASON (3 verdicts)".
std::string listed(const char* title, const std::map<std::string, std::int64_t>& reasons) {
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, count] : reasons)
    text += fmt::format("{}: {} ({} verdict{})\n", title, printable(reason), count, count == 1 ? "" : "s");
  return text;
}

/// What exceeds the limits of kernels, and the names of those kernels. The dtypes that a kernel does not
/// serve share a line.
std::string not_served(const results& of) {
  std::map<std::string, std::vector<std::string>> kernels, dtypes;
  std::map<std::string, std::int64_t> counts, reasons;
  for (const result& one : of.lines) {
    if (finding_of(one) != finding::not_served) continue;
    add_once(kernels[one.beyond], one.kernel);
    ++counts[one.beyond];
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

/// Results that were not judged, with the reason and the kernel's own text: a line for each kernel, dtype and
/// law, or, where those would be too many, for each kernel, or for each reason.
std::string not_judged(const results& of) {
  constexpr std::size_t most_lines = 24;
  std::map<std::string, std::int64_t> each, of_kernels, of_reasons;
  std::map<std::string, std::vector<std::string>> kernels;
  for (const result& one : of.lines) {
    if (finding_of(one) != finding::not_judged) continue;
    const std::string& said = one.found.declined_because;  // "status 3, FIELD: WORDS"
    const auto words = said.find(": ");
    const std::string why = why_not_judged(one) + (words == said.npos ? "" : "; " + said.substr(words + 2));
    ++each[fmt::format("{}, {}, {}: {}", one.kernel, element_name(one), one.law.name, why)];
    ++of_kernels[fmt::format("{}: {}", one.kernel, why)];
    ++of_reasons[why];
    add_once(kernels[why], one.kernel);
  }
  if (each.size() <= most_lines) return listed("not judged", each);
  if (of_kernels.size() <= most_lines) return listed("not judged", of_kernels);
  std::map<std::string, std::int64_t> with_kernels;
  for (const auto& [why, count] : of_reasons)
    with_kernels[fmt::format("{}: {}", fmt::join(kernels[why], ", "), why)] = count;
  return listed("not judged", with_kernels);
}

/// Cases that were set aside: no working precision decided a rounding, or the call takes too much memory.
std::string undecided(const results& of) {
  std::map<std::string, std::int64_t> reasons;
  for (const result& one : of.lines)
    if (one.found.undecided_cases > 0)
      reasons[fmt::format("{}: {}, {}: {}",
                          one.found.without_memory == one.found.undecided_cases ? "not asked" : "undecided",
                          one.kernel, element_name(one), one.found.undecided)] += one.found.undecided_cases;
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, count] : reasons)
    text += fmt::format("{} ({} case{} set aside)\n", printable(reason), count, count == 1 ? "" : "s");
  return text;
}

std::string subject_of(const result& one) {
  return fmt::format("{}, {}, {}", one.kernel, one.model, element_name(one));
}

/// Cases that gave other bits when they were asked again in other memory.
std::string other_bits(const results& of) {
  std::map<std::string, std::array<std::int64_t, 2>> cases;
  for (const result& one : of.lines)
    if (one.found.other_bits > 0) {
      auto& [other, all] = cases[subject_of(one)];
      other += one.found.other_bits;
      all += one.found.cases;
    }
  std::string text = cases.empty() ? "" : "\n";
  for (const auto& [subject, counts] : cases)
    text += fmt::format("other bits when asked again in other memory: {}: {} of {} cases\n",
                        printable(subject), counts[0], counts[1]);
  return text;
}

double share_decided(const result& one) {
  return static_cast<double>(one.found.compared) /
         static_cast<double>(one.found.compared + one.found.vacuous);
}

/// The share of a law's comparisons that decide something, and the positions from which bounds decide
/// nothing. On one screen the smallest share stands for a kernel and law, or, in a matrix, for a kernel.
std::string vacuous(const results& of, detail shown, bool is_matrix) {
  const auto groups = groups_of(
      of, shown, [](const result& one) { return one.found.vacuous > 0; },
      [=](const result& a, const result& b) {
        return a.kernel == b.kernel && (is_matrix || a.law.name == b.law.name);
      });
  std::string text;
  for (const group& together : groups) {
    const result& one = **std::min_element(
        together.begin(), together.end(),
        [](const result* a, const result* b) { return share_decided(*a) < share_decided(*b); });
    text += fmt::format("vacuous: {}, {}: {:.0f} % of {} comparisons decide", subject_of(one), one.law.name,
                        100 * share_decided(one), one.found.compared + one.found.vacuous);
    if (one.some_vacuous_from)
      text += fmt::format("; some pair decides nothing from position {} on", *one.some_vacuous_from);
    if (one.every_vacuous_from) text += fmt::format(", every pair from {} on", *one.every_vacuous_from);
    if (together.size() > 1) text += fmt::format(" (the least of {})", together.size());
    text += "\n";
  }
  return text.empty() ? text : "\n" + text;
}

/// Growth of the errors that a promise lets grow with the position. On one screen
/// the fastest growth stands for a kernel.
std::string growths(const results& of, detail shown) {
  const auto groups = groups_of(
      of, shown, [](const result& one) { return finding_of(one) == finding::measured; },
      [](const result& a, const result& b) { return a.kernel == b.kernel; });
  const auto from = [](const std::optional<int>& range) {
    return range ? fmt::format("from positions of 2^{} on", *range) : std::string("nowhere");
  };
  std::string text;
  for (const group& together : groups) {
    const result& one =
        **std::max_element(together.begin(), together.end(), [](const result* a, const result* b) {
          return growth_of(*a).per_position < growth_of(*b).per_position;
        });
    const verify::growth found = growth_of(one);
    text += fmt::format("growth: {}: {:.2g} a position; over 1 % {}, over 10 % {}{}\n", subject_of(one),
                        found.per_position, from(found.over_1_percent), from(found.over_10_percent),
                        together.size() > 1 ? fmt::format(" (the fastest of {})", together.size()) : "");
  }
  return text.empty() ? text : "\n" + text;
}

/// Why promises have no bound, once per reason.
std::string without_bounds(const results& of) {
  std::map<std::string, std::int64_t> reasons;
  for (const result& one : of.lines)
    if (finding_of(one) == finding::no_bound)
      ++reasons[fmt::format("{}, {}, {}, {}: {}", one.kernel, one.model, element_name(one),
                            name_of(one.promised, one.operation), one.no_bound)];
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, count] : reasons)
    text += fmt::format("no bound: {} ({} law{})\n", reason, count, count == 1 ? "" : "s");
  return text;
}

constexpr int shown_laws = 3;  // failing laws of a kernel that one screen shows whole

std::string failures(const results& of, detail shown, output::stream to) {
  std::string text;
  std::int64_t also = 0;
  std::map<std::string, int> of_kernel;
  for (const result& one : of.lines) {
    if (one.found.holds()) continue;
    if (!is_told(one) || (shown == detail::screen && of_kernel[one.kernel]++ >= shown_laws)) {
      ++also;
      continue;
    }
    text += fmt::format("\n{} {}, {}, {}, {}: {}\n{}",
                        output::coloured(verdict_of(one), output::colour::red, to), one.kernel, one.model,
                        element_name(one), one.law.name, one.law.statement, counterexample_of(one));
  }
  if (also > 0)
    text += fmt::format("\n{} more failure{}; --report json=FILE has them all\n", also, also == 1 ? "" : "s");
  return text;
}

/// Whether the overview is a matrix: one screen of several kernels.
bool is_matrix(const results& of, detail shown) {
  const auto is_other = [&](const result& one) { return one.kernel != of.lines.front().kernel; };
  return shown == detail::screen && std::any_of(of.lines.begin(), of.lines.end(), is_other);
}

std::string summary(const results& of) {
  const totals sum = totals_of(of);
  std::string text = of.limits.empty() ? "" : "\n";
  for (const std::string& one : of.limits) text += printable(one) + "\n";
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
  return is_matrix(of, shown) ? as_matrix(of, columns, to) : table(of, shown, to) + ranges(of);
}

std::string remarks_of(const results& of, detail shown) {
  return growths(of, shown) + vacuous(of, shown, is_matrix(of, shown)) + not_served(of) + not_judged(of) +
         undecided(of) + other_bits(of) + without_bounds(of);
}

std::string as_text(const results& found, detail shown, output::stream to, int columns) {
  const results of = with_plain_names(found);
  return overview_of(of, shown, to, columns) + remarks_of(of, shown) + failures(of, shown, to) +
         arrays_of(of, shown) + conclusions_of(of) + summary(of);
}

}  // namespace ropewalk::report
