// The page's verdicts: the matrix of laws and kernels, each failure, every verdict, and what was left out.

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

/// The failures of one kernel and law. The first that is told whole stands for them.
struct failure_group {
  std::string kernel;
  std::string law;
  std::vector<const result*> all{};

  const result& told() const {
    const auto found =
        std::find_if(all.begin(), all.end(), [](const result* one) { return is_reported(*one); });
    return found == all.end() ? *all.front() : **found;
  }
};

std::vector<failure_group> failure_groups(const verify::results& of) {
  std::vector<failure_group> r;
  for (const result& one : of.lines) {
    if (one.found.holds()) continue;
    const auto same = std::find_if(r.begin(), r.end(), [&](const failure_group& other) {
      return other.kernel == one.kernel && other.law == one.law.name;
    });
    if (same == r.end())
      r.push_back({one.kernel, std::string(one.law.name), {&one}});
    else
      same->all.push_back(&one);
  }
  return r;
}

std::string id_of(std::size_t failure) { return fmt::format("failure-{}", failure + 1); }

/// "#failure-3" of the failures of a kernel and law; empty if there are none.
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

void add_matrix(node to, std::string_view caption, std::string_view first_heading, const cell_matrix& shown,
                const std::vector<failure_group>& failures) {
  std::vector<heading> columns{{std::string(first_heading)}};
  for (const matrix_column& one : shown.columns) columns.push_back({one.heading, one.kernel});
  node body = add_table(to, caption, columns, false);
  body.parent().attribute("class") = "matrix";
  for (std::size_t row = 0; row < shown.rows.size(); ++row) {
    node line = add(body, "tr");
    set(add(line, "th", shown.rows[row]), "scope", "row");
    for (const matrix_column& column : shown.columns)
      add_cell(line, column.cells[row], link_to(failures, column.kernel, shown.rows[row]));
  }
}

void add_matrices(node to, const verify::results& of, const std::vector<failure_group>& failures) {
  std::vector<ropewalk_operation> operations;
  for (const result& one : of.lines)
    if (is_of_kernel(one)) add_once(operations, one.operation);
  cell_writer write;
  for (const ropewalk_operation operation : operations)
    add_matrix(to,
               fmt::format("Kernels that {}",
                           visit_operation(operation, []<class Operation>() { return Operation::name; })),
               "law", kernel_cells(of, operation, write), failures);
  if (const cell_matrix tables = table_cells(of, write); !tables.rows.empty())
    add_matrix(to, "This library's own tables", "encoding", tables, {});
  node legend = add_classed(to, "p", "legend");
  for (const matrix_mark& one : write.marks_used()) {
    node item = add(legend, "span");
    add(item, "b", one.sign);
    add_text(item, fmt::format(" {}", one.meaning));
  }
}

/// "f32 bf16; qwen2.5-7b, llama-3.1-8b": where the failures of a group are.
std::string places_of(const failure_group& failures) {
  std::vector<std::string> dtypes, models;
  for (const result* one : failures.all) {
    add_once(dtypes, element_name(*one));
    add_once(models, one->model);
  }
  return fmt::format("{}; {}", fmt::join(dtypes, " "), fmt::join(models, ", "));
}

void add_failure(node to, const failure_group& group, const std::string& id) {
  const result& one = group.told();
  node unfolding = add_details(to, "");
  unfolding.append_attribute("class") = "failure";
  set(unfolding, "id", id);
  set(unfolding, "data-kernel", group.kernel);
  node summary = unfolding.child("summary");
  add(summary, "code", group.kernel);
  add_text(summary, " breaks ");
  add(summary, "strong", group.law);
  add_classed(summary, "span", "where", " in " + places_of(group));
  add(unfolding, "p", fmt::format("The law: {}.", one.law.statement));
  add_literal(unfolding, counterexample_of(one));
  if (group.all.size() > 1)
    add(unfolding, "p",
        fmt::format("{} verdicts of this kernel and law fail; this is the first.", group.all.size()));
}

void add_failures(node to, const verify::results& of, const std::vector<failure_group>& failures) {
  if (failures.empty()) return;
  add(to, "h3", "What fails");
  for (std::size_t i = 0; i < failures.size() && i < most_failures_reported; ++i) {
    const bool is_first = i == 0 || failures[i - 1].kernel != failures[i].kernel;
    const std::string cause = is_first ? cause_of(of, failures[i].told()) : "";
    if (!cause.empty()) add(to, "p", failures[i].kernel + ": " + cause + ".");
    add_failure(to, failures[i], id_of(i));
  }
  if (failures.size() > most_failures_reported)
    add(to, "p",
        fmt::format("{} more laws are broken: `ropewalk verify --report json=FILE` has them all.",
                    failures.size() - most_failures_reported));
}

/// Results of one kernel, law and dtype: all models share a row, whose numbers are those of the worst.
struct verdict_row {
  const result* worst = nullptr;
  std::vector<std::string> models{};
  std::int64_t cases = 0;
  std::int64_t wanted = 0;
};

std::vector<verdict_row> verdict_rows(const verify::results& of) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> places;
  std::vector<verdict_row> r;
  for (const result& one : of.lines) {
    const auto [place, is_new] = places.try_emplace(
        {one.kernel, std::string(one.law.name), element_name(one), verdict_of(one)}, r.size());
    if (is_new) r.emplace_back();
    verdict_row& row = r[place->second];
    if (row.worst == nullptr || one.found.worst.worst > row.worst->found.worst.worst) row.worst = &one;
    add_once(row.models, one.model);
    row.cases += one.found.cases;
    row.wanted += one.found.wanted;
  }
  return r;
}

void add_every_verdict(node to, const verify::results& of) {
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
  for (const verdict_row& row : verdict_rows(of)) {
    const result& one = *row.worst;
    const std::string dtype = element_name(one), verdict = verdict_of(one);
    node line = add(body, "tr");
    set(line, "data-kernel", one.kernel);
    set(line, "data-dtype", dtype);
    add(line, "td", one.kernel);
    add(line, "td", one.law.name);
    add(line, "td", dtype);
    add(line, "td", row.models.size() == 1 ? one.model : fmt::format("{} models", row.models.size()));
    for (const std::int64_t count : {row.cases, row.wanted})
      add_number(line, number_text(static_cast<double>(count)), static_cast<double>(count));
    add(line, "td", observed_of(one));
    add(line, "td", bound_of(one));
    add_classed(line, "td", verdict == "holds" ? "holds" : one.found.holds() ? "quiet" : "fails", verdict);
  }
}

/// Lines as a list, without those that are empty.
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

std::string left_out(const verify::results& of) {
  std::string r;
  const auto add_line = [&](const std::string& one) {
    if (!one.empty()) r += one + "\n";
  };
  for (const std::string& one : of.ended) add_line("FAILS " + one);
  for (const std::string& one : of.not_judged) add_line(one);
  add_line(of.left_out);
  add_line(of.cut);
  for (const std::string& one : accepted(of)) add_line(one);
  for (const std::vector<std::string>* const lines : {&of.printed, &of.limits})
    for (const std::string& one : *lines) add_line(one);
  for (const auto& [law, reason] : of.skipped_laws) add_line(law + " is left out: " + reason);
  return r;
}

}  // namespace

void add_verdicts(node to, const page& of) {
  node section = add(to, "section");
  section.append_attribute("id") = "verdicts";
  add(section, "h2", "Verdicts");
  add(section, "p",
      "A law is a statement with a proved bound. A cell is the largest observed error as a part of its "
      "bound, "
      "over all models and dtypes; what fails links to the smallest counterexample found.");
  const std::vector<failure_group> failures = failure_groups(of.judged);
  add_matrices(section, of.judged, failures);
  add_failures(section, of.judged, failures);
  add_every_verdict(section, of.judged);
  add_lines(section, "What each kernel is as good as", kept_promises_of(of.judged));
  add_lines(section, "Left out", left_out(of.judged));
  add_lines(section, "Remarks", remarks_of(of.judged, detail::screen));
}

}  // namespace ropewalk::report::html
