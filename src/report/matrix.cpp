#include "report/matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "report/once.hpp"
#include "report/report.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

/// A mark that a cell may show, and its meaning.
struct mark {
  std::string_view sign;
  std::string_view meaning;
};

namespace sign {
constexpr mark ratio{"0.5", "worst observed / bound"};
constexpr mark failing_ratio{"7 f16", "above its bound in that dtype: fails"};
constexpr mark equal_bits{"=", "equal bits"};
constexpr mark other_bits{"x f16", "other bits in that dtype: fails"};
constexpr mark growing{"2^k", "the promise lets errors grow; they pass 1 % from this position on"};
constexpr mark growing_little{"<1%", "the promise lets errors grow; none passes 1 %"};
constexpr mark not_served{"-", "not served"};
constexpr mark is_vacuous{"~", "vacuous: the bound decides nothing"};
constexpr mark not_judged{"!", "not judged"};
constexpr mark undecided_throughout{"?", "not decided"};
constexpr mark skipped{"s", "left out"};
constexpr mark without_bound{"no bound", "the promise has no bound here"};
constexpr mark nothing{"none", "nothing was compared"};
constexpr mark not_run{".", "not run"};
constexpr mark not_asked{"(blank)", "not asked"};
}  // namespace sign

/// All marks, in the order of the legend.
constexpr const mark* marks[] = {&sign::ratio,      &sign::failing_ratio,
                                 &sign::equal_bits, &sign::other_bits,
                                 &sign::growing,    &sign::growing_little,
                                 &sign::not_served, &sign::is_vacuous,
                                 &sign::not_judged, &sign::undecided_throughout,
                                 &sign::skipped,    &sign::without_bound,
                                 &sign::nothing,    &sign::not_run,
                                 &sign::not_asked};

struct matrix_cell {
  std::string text;
  bool fails = false;
};

/// Two digits, truncated between 0.1 and 1, so that a ratio below the bound is never shown as 1.
std::string ratio_text(double ratio) {
  return fmt::format("{:.2g}", ratio > 0.1 && ratio < 1 ? std::floor(100 * ratio) / 100 : ratio);
}

/// The results that share one cell.
using cell_results = std::vector<const result*>;

/// Writes cells, and records the marks that they use.
class cell_writer {
 public:
  matrix_cell of(const cell_results& all) {
    if (all.empty()) return {used(sign::not_asked, "")};
    const result *worst_failing = nullptr, *worst = nullptr;
    bool fails_in_bits = false;
    std::optional<int> over_1_percent;
    std::map<finding, int> found;
    bool is_undecided = false;
    for (const result* one : all) {
      const finding what = finding_of(*one);
      ++found[what];
      if (what == finding::fails || what == finding::not_reproducible) {
        fails_in_bits = fails_in_bits || is_equality(*one);
        if (is_worse(one, worst_failing)) worst_failing = one;
      }
      if (what == finding::holds && is_worse(one, worst)) worst = one;
      if (what == finding::measured)
        if (const auto from = growth_of(*one).over_1_percent)
          over_1_percent = std::min(over_1_percent.value_or(*from), *from);
      is_undecided =
          is_undecided || (what == finding::not_judged && one->found.undecided_cases > one->found.declined);
    }
    if (worst_failing != nullptr) return failing_cell(*worst_failing, fails_in_bits);
    std::string text;
    if (worst != nullptr) text = holding_text(*worst);
    if (found.count(finding::measured) > 0)
      text = over_1_percent ? used(sign::growing, fmt::format("2^{}", *over_1_percent))
                            : used(sign::growing_little);
    const auto add = [&](finding what, const mark& sign) {
      if (found.count(what) > 0) text += (text.empty() ? "" : " ") + used(sign);
    };
    add(finding::not_judged, is_undecided ? sign::undecided_throughout : sign::not_judged);
    add(finding::vacuous, sign::is_vacuous);
    add(finding::no_bound, sign::without_bound);
    if (text.empty()) add(finding::nothing_compared, sign::nothing);
    if (text.empty()) add(finding::not_served, sign::not_served);
    if (text.empty()) add(finding::not_run, sign::not_run);
    return {text};
  }

  matrix_cell of_skipped() { return {used(sign::skipped)}; }

  /// The legend of the marks used, in lines of at most `columns` characters.
  std::string legend(int columns) const {
    std::string text, line;
    for (const mark* one : marks) {
      if (used_.count(one->sign) == 0) continue;
      const std::string item = fmt::format("{}  {}", one->sign, one->meaning);
      if (!line.empty() && line.size() + 4 + item.size() > static_cast<std::size_t>(columns)) {
        text += line + "\n";
        line.clear();
      }
      line += (line.empty() ? "" : "    ") + item;
    }
    return text + line + (line.empty() ? "" : "\n");
  }

 private:
  static bool is_worse(const result* one, const result* than) {
    return than == nullptr || one->found.worst.worst > than->found.worst.worst;
  }

  matrix_cell failing_cell(const result& worst, bool in_bits) {
    const std::string dtype = element_name(worst);
    if (in_bits) return {used(sign::other_bits, fmt::format("x {}", dtype)), true};
    return {used(sign::failing_ratio, fmt::format("{:.2g} {}", worst.found.worst.worst, dtype)), true};
  }

  std::string holding_text(const result& worst) {
    return is_equality(worst) ? used(sign::equal_bits)
                              : used(sign::ratio, ratio_text(worst.found.worst.worst));
  }

  std::string used(const mark& sign, std::string text) {
    used_.insert(sign.sign);
    return text;
  }
  std::string used(const mark& sign) { return used(sign, std::string(sign.sign)); }

  std::set<std::string_view> used_;
};

/// A column: its heading, and a cell for each law.
struct column {
  std::string heading;
  std::vector<matrix_cell> cells;

  std::size_t width() const {
    std::size_t r = heading.size();
    for (const matrix_cell& one : cells) r = std::max(r, one.text.size());
    return r;
  }
};

std::string block(const std::vector<std::string>& rows, std::size_t row_width, const column* first,
                  const column* last, output::stream to) {
  const auto without_trailing_blanks = [](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::string heading(row_width, ' ');
  for (const column* one = first; one != last; ++one)
    heading += fmt::format("  {:<{}}", one->heading, one->width());
  std::string text = without_trailing_blanks(heading) + "\n";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string line = fmt::format("{:<{}}", rows[row], row_width);
    for (const column* one = first; one != last; ++one) {
      const matrix_cell& here = one->cells[row];
      line += "  " + (here.fails ? output::coloured(here.text, output::colour::red, to) : here.text) +
              std::string(one->width() - here.text.size(), ' ');
    }
    text += without_trailing_blanks(line) + "\n";
  }
  return text;
}

/// Blocks of as many columns as fit, at least one each.
std::string blocks(const std::vector<std::string>& rows, const std::vector<column>& across, int columns,
                   output::stream to) {
  std::size_t row_width = 0;
  for (const std::string& row : rows) row_width = std::max(row_width, row.size());
  std::string text;
  for (std::size_t first = 0; first < across.size();) {
    std::size_t last = first, width = row_width;
    do {
      width += 2 + across[last].width();
    } while (++last < across.size() && width + 2 + across[last].width() <= static_cast<std::size_t>(columns));
    text +=
        (text.empty() ? "" : "\n") + block(rows, row_width, across.data() + first, across.data() + last, to);
    first = last;
  }
  return text;
}

bool is_table(const result& one) { return one.kernel == tables_label; }

/// Whether a result is a kernel's: neither of this library's tables nor of an array of a file.
bool is_of_kernel(const result& one) { return !is_table(one) && !one.is_array; }

/// The heading of a kernel's column: its name without the library's path,
/// unless another kernel has the same name.
std::string heading_of(const std::string& label, const std::vector<std::string>& labels) {
  const auto name_in = [](const std::string& of) { return of.substr(of.rfind(':') + 1); };
  const auto same = std::count_if(labels.begin(), labels.end(),
                                  [&](const std::string& other) { return name_in(other) == name_in(label); });
  return same == 1 ? name_in(label) : label;
}

/// The matrix of the kernels of one operation.
std::string kernels(const results& of, ropewalk_operation operation, cell_writer& write, int columns,
                    output::stream to) {
  std::vector<std::string> labels;
  std::map<std::string, std::map<std::string, cell_results>> all;  // by law and kernel
  for (const result& one : of.lines) {
    if (!is_of_kernel(one) || one.operation != operation) continue;
    add_once(labels, one.kernel);
    all[std::string(one.law.name)][one.kernel].push_back(&one);
  }
  std::vector<std::string> laws;
  for (const law_text& one : laws_of(operation)) {
    const std::string law(one.name);
    if (all.count(law) > 0 || of.skipped_laws.count(law) > 0) laws.push_back(law);
  }
  std::vector<column> across;
  for (const std::string& label : labels) {
    column one{heading_of(label, labels), {}};
    for (const std::string& law : laws)
      one.cells.push_back(of.skipped_laws.count(law) > 0 ? write.of_skipped() : write.of(all[law][label]));
    across.push_back(std::move(one));
  }
  return blocks(laws, across, columns, to);
}

/// This library's own tables: a line for each family of encodings, and which of
/// its laws comes closest to its bound.
std::string tables(const results& of, cell_writer& write, int columns, output::stream to) {
  std::vector<std::string> families;
  std::map<std::string, std::map<std::string_view, cell_results>> laws;
  std::map<std::string, std::set<std::string>> subjects;
  for (const result& one : of.lines) {
    if (!is_table(one)) continue;
    const std::string family = one.model.substr(0, one.model.find(','));
    add_once(families, family);
    laws[family][one.law.name].push_back(&one);
    subjects[family].insert(one.model);
  }
  if (families.empty()) return "";
  column encodings{"encodings", {}}, count{"laws", {}}, closest{"closest to its bound", {}};
  for (const std::string& family : families) {
    cell_results all;
    const result* worst = nullptr;
    for (const auto& [law, lines] : laws[family])
      for (const result* one : lines) {
        all.push_back(one);
        if (worst == nullptr || one->found.worst.worst > worst->found.worst.worst) worst = one;
      }
    matrix_cell found = write.of(all);
    if (found.text != sign::equal_bits.sign) found.text += fmt::format("  {}", worst->law.name);
    encodings.cells.push_back({std::to_string(subjects[family].size())});
    count.cells.push_back({std::to_string(laws[family].size())});
    closest.cells.push_back(found);
  }
  return "this library's own tables\n\n" + blocks(families, {encodings, count, closest}, columns, to);
}

/// Arrays of the same encoding whose laws came out alike share a line.
struct array_line {
  std::string model;
  std::vector<std::string> texts;  // of its cells
  std::vector<std::string> names;
};

/// The file that all arrays are of, up to #; empty if they are of several.
std::string shared_file(const std::vector<std::string>& names) {
  const std::string file = names.front().substr(0, names.front().find('#') + 1);
  return std::all_of(names.begin(), names.end(), [&](const auto& one) { return one.starts_with(file); })
             ? file
             : "";
}

/// Arrays of files, by encoding, and a column for each law.
std::string arrays(const results& of, cell_writer& write, int columns, output::stream to) {
  std::vector<std::string> names;
  std::vector<std::string_view> laws;
  std::map<std::string_view, std::map<std::string, cell_results>> all;
  std::map<std::string, std::string> model_of;
  for (const result& one : of.lines) {
    if (!one.is_array) continue;
    add_once(names, one.kernel);
    add_once(laws, one.law.name);
    model_of[one.kernel] = one.model;
    all[one.law.name][one.kernel].push_back(&one);
  }
  if (names.empty()) return "";
  const std::string file = shared_file(names);
  std::vector<array_line> lines;
  std::vector<column> across;
  for (const std::string_view law : laws) across.push_back({std::string(law), {}});
  for (const std::string& name : names) {
    array_line one{model_of[name], {}, {name.substr(file.size())}};
    std::vector<matrix_cell> cells;
    for (const std::string_view law : laws) cells.push_back(write.of(all[law][name]));
    for (const matrix_cell& cell : cells) one.texts.push_back(cell.text);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const array_line& other) {
      return other.model == one.model && other.texts == one.texts;
    });
    if (same != lines.end()) {
      same->names.push_back(one.names.front());
      continue;
    }
    lines.push_back(std::move(one));
    for (std::size_t i = 0; i < cells.size(); ++i) across[i].cells.push_back(std::move(cells[i]));
  }
  std::vector<std::string> rows;
  for (const array_line& one : lines)
    rows.push_back(
        one.names.front() + (one.names.size() == 1 ? "" : fmt::format(" and {} more", one.names.size() - 1)) +
        (one.model.find('/') == one.model.npos ? "" : ", " + one.model.substr(one.model.rfind('/') + 1)));
  return (file.empty() ? "" : "arrays of " + file + "\n\n") + blocks(rows, across, columns, to);
}

}  // namespace

std::string as_matrix(const results& of, int columns, output::stream to) {
  std::vector<ropewalk_operation> operations;
  for (const result& one : of.lines)
    if (is_of_kernel(one)) add_once(operations, one.operation);
  cell_writer write;
  std::vector<std::string> models, dtypes;
  for (const result& one : of.lines) {
    if (is_table(one)) continue;
    add_once(models, one.model);
    add_once(dtypes, element_name(one));
  }
  std::string text = models.empty()
                         ? ""
                         : fmt::format("the worst of {} configuration{}, {}; --verbose has every row\n",
                                       models.size(), models.size() == 1 ? "" : "s", fmt::join(dtypes, " "));
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  };
  for (const ropewalk_operation operation : operations) add(kernels(of, operation, write, columns, to));
  add(tables(of, write, columns, to));
  add(arrays(of, write, columns, to));
  add(write.legend(columns));
  return text;
}

}  // namespace ropewalk::report
