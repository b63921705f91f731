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
  std::size_t width = column.heading.size();
  for (const matrix_cell& cell : column.cells) width = std::max(width, cell.text.size());
  return width;
}

std::string block(const std::vector<std::string>& rows, std::size_t row_width, const matrix_column* first,
                  const matrix_column* last, output::stream to) {
  const auto without_trailing_blanks = [](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::string heading(row_width, ' ');
  for (const matrix_column* column = first; column != last; ++column)
    heading += fmt::format("  {:<{}}", column->heading, width_of(*column));
  std::string text = without_trailing_blanks(heading) + "\n";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string line = fmt::format("{:<{}}", rows[row], row_width);
    for (const matrix_column* column = first; column != last; ++column) {
      const matrix_cell& here = column->cells[row];
      line += "  " + (here.fails ? output::coloured(here.text, output::colour::red, to) : here.text) +
              std::string(width_of(*column) - here.text.size(), ' ');
    }
    text += without_trailing_blanks(line) + "\n";
  }
  return text;
}

/// Blocks of as many columns as fit, at least one per block.
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
std::string legend(const cell_writer& writer, int columns) {
  std::string text, line;
  for (const matrix_mark& mark : writer.marks_used()) {
    const std::string item = fmt::format("{}  {}", mark.sign, mark.meaning);
    if (!line.empty() && line.size() + 4 + item.size() > static_cast<std::size_t>(columns)) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : "    ") + item;
  }
  return text + line + (line.empty() ? "" : "\n");
}

/// Arrays of the same encoding with the same results share a line.
struct array_line {
  std::string model;
  std::vector<std::string> texts;  // texts of the cells
  std::vector<std::string> names;
};

/// The common file of all arrays, up to #; empty if there are several.
std::string shared_file(const std::vector<std::string>& names) {
  const std::string file = names.front().substr(0, names.front().find('#') + 1);
  return std::all_of(names.begin(), names.end(), [&](const auto& item) { return item.starts_with(file); })
             ? file
             : "";
}

/// Arrays of files, by encoding, with one column per law.
std::string arrays(const results& results, cell_writer& write, int columns, output::stream to) {
  std::vector<std::string> names;
  std::vector<std::string_view> laws;
  std::map<std::string_view, std::map<std::string, cell_results>> all;
  std::map<std::string, std::string> model_of;
  for (const result& line : results.lines) {
    if (!line.is_array) continue;
    add_once(names, line.kernel);
    add_once(laws, line.law.name);
    model_of[line.kernel] = line.model;
    all[line.law.name][line.kernel].push_back(&line);
  }
  if (names.empty()) return "";
  const std::string file = shared_file(names);
  std::vector<array_line> lines;
  std::vector<matrix_column> across;
  for (const std::string_view law : laws) across.push_back({"", std::string(law), {}});
  for (const std::string& name : names) {
    array_line line{model_of[name], {}, {name.substr(file.size())}};
    std::vector<matrix_cell> cells;
    for (const std::string_view law : laws) cells.push_back(write.of(all[law][name]));
    for (const matrix_cell& cell : cells) line.texts.push_back(cell.text);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const array_line& other) {
      return other.model == line.model && other.texts == line.texts;
    });
    if (same != lines.end()) {
      same->names.push_back(line.names.front());
      continue;
    }
    lines.push_back(std::move(line));
    for (std::size_t i = 0; i < cells.size(); ++i) across[i].cells.push_back(std::move(cells[i]));
  }
  std::vector<std::string> rows;
  for (const array_line& line : lines)
    rows.push_back(
        line.names.front() +
        (line.names.size() == 1 ? "" : fmt::format(" and {} more", line.names.size() - 1)) +
        (line.model.find('/') == line.model.npos ? "" : ", " + line.model.substr(line.model.rfind('/') + 1)));
  return (file.empty() ? "" : "arrays of " + file + "\n\n") + blocks(rows, across, columns, to);
}

}  // namespace

bool is_matrix(const results& results, detail shown) {
  const auto is_other = [&](const result& result) { return result.kernel != results.lines.front().kernel; };
  return shown == detail::screen && std::any_of(results.lines.begin(), results.lines.end(), is_other);
}

std::string as_matrix(const results& results, int columns, output::stream to) {
  std::vector<ropewalk_operation> operations;
  for (const result& line : results.lines)
    if (is_of_kernel(line)) add_once(operations, line.operation);
  cell_writer write;
  std::vector<std::string> models, dtypes;
  for (const result& line : results.lines) {
    if (is_table(line)) continue;
    add_once(models, line.model);
    add_once(dtypes, element_name(line));
  }
  std::string text = models.empty()
                         ? ""
                         : fmt::format("the worst of {} configuration{}, {}; --verbose has every row\n",
                                       models.size(), models.size() == 1 ? "" : "s", fmt::join(dtypes, " "));
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  };
  for (const ropewalk_operation operation : operations) {
    const cell_matrix here = kernel_cells(results, operation, write);
    add(blocks(here.rows, here.columns, columns, to));
  }
  if (const cell_matrix tables = table_cells(results, write); !tables.rows.empty())
    add("this library's own tables\n\n" + blocks(tables.rows, tables.columns, columns, to));
  add(arrays(results, write, columns, to));
  add(legend(write, columns));
  return text;
}

}  // namespace ropewalk::report
