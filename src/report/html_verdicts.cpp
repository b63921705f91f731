// The page's verdicts: the matrix of laws and kernels, each failure, every verdict, and omissions.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/html_sections.hpp"
#include "report/matrix_cells.hpp"
#include "report/once.hpp"
#include "report/report.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report::html {

using verify::result;

namespace {

constexpr std::size_t most_failures_reported = 60;

/// The failures of one kernel and law, represented by the first that is reported in full.
struct failure_group {
  std::string kernel;
  std::string law;
  std::vector<const result*> all{};

  const result& told() const {
    const auto match =
        std::find_if(all.begin(), all.end(), [](const result* result) { return is_reported(*result); });
    return match == all.end() ? *all.front() : **match;
  }
};

std::vector<failure_group> failure_groups(const verify::results& results) {
  std::vector<failure_group> groups;
  for (const result& line : results.lines) {
    if (line.outcome.holds()) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const failure_group& other) {
      return other.kernel == line.kernel && other.law == line.law.name;
    });
    if (same == groups.end())
      groups.push_back({line.kernel, std::string(line.law.name), {&line}});
    else
      same->all.push_back(&line);
  }
  return groups;
}

std::string id_of(std::size_t failure) { return fmt::format("failure-{}", failure + 1); }

/// Link to the failures of a kernel and law, "#failure-3"; empty if there are none.
std::string link_to(const std::vector<failure_group>& failures, const std::string& kernel,
                    const std::string& law) {
  for (std::size_t i = 0; i < failures.size() && i < most_failures_reported; ++i)
    if (failures[i].kernel == kernel && failures[i].law == law) return "#" + id_of(i);
  return {};
}

void add_cell(node row, const matrix_cell& cell, const std::string& link) {
  const bool is_quiet = cell.text.find_first_of("0123456789=") == std::string::npos;
  node here = add_classed(row, "td", cell.fails ? "fails" : is_quiet ? "quiet" : "holds");
  if (link.empty())
    add_text(here, cell.text);
  else
    set(add(here, "a", cell.text), "href", link);
}

void add_matrix(node to, std::string_view caption, std::string_view first_heading, const cell_matrix& matrix,
                const std::vector<failure_group>& failures) {
  std::vector<heading> columns{{std::string(first_heading)}};
  for (const matrix_column& column : matrix.columns) columns.push_back({column.heading, column.kernel});
  node body = add_table(to, caption, columns, false);
  body.parent().attribute("class") = "matrix";
  for (std::size_t row = 0; row < matrix.rows.size(); ++row) {
    node line = add(body, "tr");
    set(add(line, "th", matrix.rows[row]), "scope", "row");
    for (const matrix_column& column : matrix.columns)
      add_cell(line, column.cells[row], link_to(failures, column.kernel, matrix.rows[row]));
  }
}

void add_matrices(node to, const verify::results& results, const std::vector<failure_group>& failures) {
  std::vector<ropewalk_operation> operations;
  for (const result& line : results.lines)
    if (is_of_kernel(line)) add_once(operations, line.operation);
  cell_writer write;
  for (const ropewalk_operation operation : operations)
    add_matrix(to,
               fmt::format("Kernels that {}",
                           visit_operation(operation, []<class Operation>() { return Operation::name; })),
               "law", kernel_cells(results, operation, write), failures);
  if (const cell_matrix tables = table_cells(results, write); !tables.rows.empty())
    add_matrix(to, "This library's own tables", "encoding", tables, {});
  node legend = add_classed(to, "p", "legend");
  for (const matrix_mark& mark : write.marks_used()) {
    node item = add(legend, "span");
    add(item, "b", mark.sign);
    add_text(item, fmt::format(" {}", mark.meaning));
  }
}

/// Places of a group's failures: "f32 bf16; qwen2.5-7b, llama-3.1-8b".
std::string places_of(const failure_group& failures) {
  std::vector<std::string> dtypes, models;
  for (const result* result : failures.all) {
    add_once(dtypes, element_name(*result));
    add_once(models, result->model);
  }
  return fmt::format("{}; {}", fmt::join(dtypes, " "), fmt::join(models, ", "));
}

void add_failure(node to, const failure_group& group, const std::string& id) {
  const result& result = group.told();
  node unfolding = add_details(to, "");
  unfolding.append_attribute("class") = "failure";
  set(unfolding, "id", id);
  set(unfolding, "data-kernel", group.kernel);
  node summary = unfolding.child("summary");
  add(summary, "code", group.kernel);
  add_text(summary, " breaks ");
  add(summary, "strong", group.law);
  add_classed(summary, "span", "where", " in " + places_of(group));
  add(unfolding, "p", fmt::format("The law: {}.", result.law.statement));
  add_literal(unfolding, counterexample_of(result));
  if (group.all.size() > 1)
    add(unfolding, "p",
        fmt::format("{} verdicts of this kernel and law fail; this is the first.", group.all.size()));
}

void add_failures(node to, const verify::results& results, const std::vector<failure_group>& failures) {
  if (failures.empty()) return;
  add(to, "h3", "What fails");
  for (std::size_t i = 0; i < failures.size() && i < most_failures_reported; ++i) {
    const bool is_first = i == 0 || failures[i - 1].kernel != failures[i].kernel;
    const std::string cause = is_first ? cause_of(results, failures[i].told()) : "";
    if (!cause.empty()) add(to, "p", failures[i].kernel + ": " + cause + ".");
    add_failure(to, failures[i], id_of(i));
  }
  if (failures.size() > most_failures_reported)
    add(to, "p",
        fmt::format("{} more laws are broken: `ropewalk verify --report json=FILE` has them all.",
                    failures.size() - most_failures_reported));
}

/// Results of one kernel, law and dtype. All models share a row, with the numbers of the worst.
struct verdict_row {
  const result* worst = nullptr;
  std::vector<std::string> models{};
  std::int64_t cases = 0;
  std::int64_t count = 0;
};

std::vector<verdict_row> verdict_rows(const verify::results& results) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> places;
  std::vector<verdict_row> rows;
  for (const result& line : results.lines) {
    const auto [place, is_new] = places.try_emplace(
        {line.kernel, std::string(line.law.name), element_name(line), verdict_of(line)}, rows.size());
    if (is_new) rows.emplace_back();
    verdict_row& row = rows[place->second];
    if (row.worst == nullptr || line.outcome.worst.worst > row.worst->outcome.worst.worst) row.worst = &line;
    add_once(row.models, line.model);
    row.cases += line.outcome.cases;
    row.count += line.outcome.count;
  }
  return rows;
}

void add_every_verdict(node to, const verify::results& results) {
  node unfolding = add_details(to, "Every verdict");
  node body = add_table(unfolding, "Every verdict, the worst of its models",
                        {{"kernel"},
                         {"law"},
                         {"dtype"},
                         {"models"},
                         {"cases", "", true},
                         {"wanted", "", true},
                         {"observed"},
                         {"bound"},
                         {"verdict"}},
                        true);
  for (const verdict_row& row : verdict_rows(results)) {
    const result& result = *row.worst;
    const std::string dtype = element_name(result), verdict = verdict_of(result);
    node line = add(body, "tr");
    set(line, "data-kernel", result.kernel);
    set(line, "data-dtype", dtype);
    add(line, "td", result.kernel);
    add(line, "td", result.law.name);
    add(line, "td", dtype);
    add(line, "td", row.models.size() == 1 ? result.model : fmt::format("{} models", row.models.size()));
    for (const std::int64_t count : {row.cases, row.count})
      add_number(line, number_text(static_cast<double>(count)), static_cast<double>(count));
    add(line, "td", observed_of(result));
    add(line, "td", bound_of(result));
    add_classed(line, "td",
                verdict == "holds"       ? "holds"
                : result.outcome.holds() ? "quiet"
                                         : "fails",
                verdict);
  }
}

/// Adds non-empty lines as a list.
void add_lines(node to, std::string_view title, std::string_view lines) {
  if (lines.find_first_not_of('\n') == lines.npos) return;
  add(to, "h3", title);
  node list = add(to, "ul");
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (end > 0) add(list, "li", lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

std::string left_out(const verify::results& results) {
  std::string left;
  const auto add_line = [&](const std::string& name) {
    if (!name.empty()) left += name + "\n";
  };
  for (const std::string& name : results.ended) add_line("FAILS " + name);
  for (const std::string& name : results.not_judged) add_line(name);
  add_line(results.left_out);
  add_line(results.cut);
  for (const std::string& name : accepted(results)) add_line(name);
  for (const std::vector<std::string>* const lines : {&results.printed, &results.limits})
    for (const std::string& line : *lines) add_line(line);
  for (const auto& [law, reason] : results.skipped_laws) add_line(law + " is left out: " + reason);
  return left;
}

}  // namespace

void add_verdicts(node to, const page& page) {
  node section = add(to, "section");
  section.append_attribute("id") = "verdicts";
  add(section, "h2", "Verdicts");
  add(section, "p",
      "A law is a statement with a proved bound. A cell is the largest observed error as a part of its "
      "bound, "
      "over all models and dtypes; what fails links to the smallest counterexample found.");
  const std::vector<failure_group> failures = failure_groups(page.judged);
  add_matrices(section, page.judged, failures);
  add_failures(section, page.judged, failures);
  add_every_verdict(section, page.judged);
  add_lines(section, "What each kernel is as good as", kept_promises_of(page.judged));
  add_lines(section, "Left out", left_out(page.judged));
  add_lines(section, "Remarks", remarks_of(page.judged, detail::screen));
}

}  // namespace ropewalk::report::html
