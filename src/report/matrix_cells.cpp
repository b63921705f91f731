#include "report/matrix_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "report/once.hpp"
#include "report/report.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

namespace sign {
constexpr matrix_mark ratio{"0.5", "worst observed / bound"};
constexpr matrix_mark failing_ratio{"7 f16", "above its bound in that dtype: fails"};
constexpr matrix_mark equal_bits{"=", "equal bits"};
constexpr matrix_mark other_bits{"x f16", "other bits in that dtype: fails"};
constexpr matrix_mark growing{"2^k", "the promise lets errors grow; they pass 1 % from this position on"};
constexpr matrix_mark growing_little{"<1%", "the promise lets errors grow; none passes 1 %"};
constexpr matrix_mark not_served{"-", "not served"};
constexpr matrix_mark is_vacuous{"~", "vacuous: the bound allows any answer"};
constexpr matrix_mark not_judged{"!", "not judged"};
constexpr matrix_mark undecided_throughout{"?", "not decided"};
constexpr matrix_mark skipped{"s", "left out"};
constexpr matrix_mark without_bound{"no bound", "the promise has no bound here"};
constexpr matrix_mark nothing{"none", "nothing was compared"};
constexpr matrix_mark not_run{".", "not run"};
constexpr matrix_mark not_asked{"(blank)", "not asked"};
}  // namespace sign

/// All marks, in the order of the legend.
constexpr const matrix_mark* marks[] = {&sign::ratio,      &sign::failing_ratio,
                                        &sign::equal_bits, &sign::other_bits,
                                        &sign::growing,    &sign::growing_little,
                                        &sign::not_served, &sign::is_vacuous,
                                        &sign::not_judged, &sign::undecided_throughout,
                                        &sign::skipped,    &sign::without_bound,
                                        &sign::nothing,    &sign::not_run,
                                        &sign::not_asked};

/// Two digits, truncated between 0.1 and 1, so that a ratio below the bound is never shown as 1.
std::string ratio_text(double ratio) {
  return fmt::format("{:.2g}", ratio > 0.1 && ratio < 1 ? std::floor(100 * ratio) / 100 : ratio);
}

bool is_worse(const result* line, const result* than) {
  return than == nullptr || line->outcome.worst.worst > than->outcome.worst.worst;
}

/// The heading of a kernel's column: its name, with the library's path only if another kernel has the same
/// name.
std::string heading_of(const std::string& label, const std::vector<std::string>& labels) {
  const auto name_in = [](const std::string& name) { return name.substr(name.rfind(':') + 1); };
  const auto same = std::count_if(labels.begin(), labels.end(),
                                  [&](const std::string& other) { return name_in(other) == name_in(label); });
  return same == 1 ? name_in(label) : label;
}

}  // namespace

matrix_cell cell_writer::of(const cell_results& all) {
  if (all.empty()) return {used(sign::not_asked, "")};
  const result *worst_failing = nullptr, *worst = nullptr;
  bool fails_in_bits = false;
  std::optional<int> over_1_percent;
  std::map<finding, int> by_name;
  bool is_undecided = false;
  for (const result* result : all) {
    const finding what = finding_of(*result);
    ++by_name[what];
    if (what == finding::fails || what == finding::not_reproducible) {
      fails_in_bits = fails_in_bits || is_equality(*result);
      if (is_worse(result, worst_failing)) worst_failing = result;
    }
    if (what == finding::holds && is_worse(result, worst)) worst = result;
    if (what == finding::measured)
      if (const auto from = growth_of(*result).over_1_percent)
        over_1_percent = std::min(over_1_percent.value_or(*from), *from);
    is_undecided = is_undecided || (what == finding::not_judged &&
                                    result->outcome.undecided_cases > result->outcome.declined);
  }
  if (worst_failing != nullptr) return failing_cell(*worst_failing, fails_in_bits);
  std::string text;
  if (worst != nullptr) text = holding_text(*worst);
  if (by_name.count(finding::measured) > 0)
    text = over_1_percent ? used(sign::growing, fmt::format("2^{}", *over_1_percent))
                          : used(sign::growing_little);
  const auto add = [&](finding what, const matrix_mark& sign) {
    if (by_name.count(what) > 0) text += (text.empty() ? "" : " ") + used(sign);
  };
  add(finding::not_judged, is_undecided ? sign::undecided_throughout : sign::not_judged);
  add(finding::vacuous, sign::is_vacuous);
  add(finding::no_bound, sign::without_bound);
  if (text.empty()) add(finding::nothing_compared, sign::nothing);
  if (text.empty()) add(finding::not_served, sign::not_served);
  if (text.empty()) add(finding::not_run, sign::not_run);
  return {text};
}

matrix_cell cell_writer::of_skipped() { return {used(sign::skipped)}; }

std::vector<matrix_mark> cell_writer::marks_used() const {
  std::vector<matrix_mark> used;
  for (const matrix_mark* mark : marks)
    if (used_.count(mark->sign) > 0) used.push_back(*mark);
  return used;
}

matrix_cell cell_writer::failing_cell(const result& worst, bool in_bits) {
  const std::string dtype = element_name(worst);
  if (in_bits) return {used(sign::other_bits, fmt::format("x {}", dtype)), true};
  return {used(sign::failing_ratio, fmt::format("{:.2g} {}", worst.outcome.worst.worst, dtype)), true};
}

std::string cell_writer::holding_text(const result& worst) {
  return is_equality(worst) ? used(sign::equal_bits)
                            : used(sign::ratio, ratio_text(worst.outcome.worst.worst));
}

std::string cell_writer::used(const matrix_mark& sign, std::string text) {
  used_.insert(sign.sign);
  return text;
}

std::string cell_writer::used(const matrix_mark& sign) { return used(sign, std::string(sign.sign)); }

cell_matrix kernel_cells(const results& results, ropewalk_operation operation, cell_writer& write) {
  std::vector<std::string> labels;
  std::map<std::string, std::map<std::string, cell_results>> all;  // by law and kernel
  for (const result& line : results.lines) {
    if (!is_of_kernel(line) || line.operation != operation) continue;
    add_once(labels, line.kernel);
    all[std::string(line.law.name)][line.kernel].push_back(&line);
  }
  std::vector<std::string> laws;
  for (const law_text& named_law : laws_of(operation)) {
    const std::string law(named_law.name);
    if (all.count(law) > 0 || results.skipped_laws.count(law) > 0) laws.push_back(law);
  }
  cell_matrix cells{laws, {}};
  for (const std::string& label : labels) {
    matrix_column column{label, heading_of(label, labels), {}};
    for (const std::string& law : laws)
      column.cells.push_back(results.skipped_laws.count(law) > 0 ? write.of_skipped()
                                                                 : write.of(all[law][label]));
    cells.columns.push_back(std::move(column));
  }
  return cells;
}

cell_matrix table_cells(const results& results, cell_writer& write) {
  std::vector<std::string> families;
  std::map<std::string, std::map<std::string_view, cell_results>> laws;
  std::map<std::string, std::set<std::string>> subjects;
  for (const result& line : results.lines) {
    if (!is_table(line)) continue;
    const std::string family = line.model.substr(0, line.model.find(','));
    add_once(families, family);
    laws[family][line.law.name].push_back(&line);
    subjects[family].insert(line.model);
  }
  matrix_column encodings{"", "encodings", {}}, count{"", "laws", {}},
      closest{"", "closest to its bound", {}};
  for (const std::string& family : families) {
    cell_results all;
    const result* worst = nullptr;
    for (const auto& [law, lines] : laws[family])
      for (const result* line : lines) {
        all.push_back(line);
        if (worst == nullptr || line->outcome.worst.worst > worst->outcome.worst.worst) worst = line;
      }
    matrix_cell cell = write.of(all);
    if (cell.text != sign::equal_bits.sign) cell.text += fmt::format("  {}", worst->law.name);
    encodings.cells.push_back({std::to_string(subjects[family].size())});
    count.cells.push_back({std::to_string(laws[family].size())});
    closest.cells.push_back(cell);
  }
  return {families, {encodings, count, closest}};
}

}  // namespace ropewalk::report
