#include "report/matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "report/matrix_cells.hpp"
#include "report/once.hpp"
#include "report/report.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report {

using namespace verify;

namespace {

std::size_t width_of(const matrix_column& column) {
  std::size_t r = column.heading.size();
  for (const matrix_cell& one : column.cells) r = std::max(r, one.text.size());
  return r;
}

std::string block(const std::vector<std::string>& rows, std::size_t row_width, const matrix_column* first,
                  const matrix_column* last, output::stream to) {
  const auto without_trailing_blanks = [](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::string heading(row_width, ' ');
  for (const matrix_column* one = first; one != last; ++one)
    heading += fmt::format("  {:<{}}", one->heading, width_of(*one));
  std::string text = without_trailing_blanks(heading) + "\n";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string line = fmt::format("{:<{}}", rows[row], row_width);
    for (const matrix_column* one = first; one != last; ++one) {
      const matrix_cell& here = one->cells[row];
      line += "  " + (here.fails ? output::coloured(here.text, output::colour::red, to) : here.text) +
              std::string(width_of(*one) - here.text.size(), ' ');
    }
    text += without_trailing_blanks(line) + "\n";
  }
  return text;
}

/// Blocks of as many columns as fit, at least one each.
std::string blocks(const std::vector<std::string>& rows, const std::vector<matrix_column>& across,
                   int columns, output::stream to) {
  std::size_t row_width = 0;
  for (const std::string& row : rows) row_width = std::max(row_width, row.size());
  std::string text;
  for (std::size_t first = 0; first < across.size();) {
    std::size_t last = first, width = row_width;
    do {
      width += 2 + width_of(across[last]);
    } while (++last < across.size() &&
             width + 2 + width_of(across[last]) <= static_cast<std::size_t>(columns));
    text +=
        (text.empty() ? "" : "\n") + block(rows, row_width, across.data() + first, across.data() + last, to);
    first = last;
  }
  return text;
}

/// The legend of the marks used, in lines of at most `columns` characters.
std::string legend(const cell_writer& of, int columns) {
  std::string text, line;
  for (const matrix_mark& one : of.marks_used()) {
    const std::string item = fmt::format("{}  {}", one.sign, one.meaning);
    if (!line.empty() && line.size() + 4 + item.size() > static_cast<std::size_t>(columns)) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : "    ") + item;
  }
  return text + line + (line.empty() ? "" : "\n");
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
  std::vector<matrix_column> across;
  for (const std::string_view law : laws) across.push_back({"", std::string(law), {}});
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

bool is_matrix(const results& of, detail shown) {
  const auto is_other = [&](const result& one) { return one.kernel != of.lines.front().kernel; };
  return shown == detail::screen && std::any_of(of.lines.begin(), of.lines.end(), is_other);
}

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
  for (const ropewalk_operation operation : operations) {
    const cell_matrix here = kernel_cells(of, operation, write);
    add(blocks(here.rows, here.columns, columns, to));
  }
  if (const cell_matrix tables = table_cells(of, write); !tables.rows.empty())
    add("this library's own tables\n\n" + blocks(tables.rows, tables.columns, columns, to));
  add(arrays(of, write, columns, to));
  add(legend(write, columns));
  return text;
}

}  // namespace ropewalk::report
