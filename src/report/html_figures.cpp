// The page's figures, each with its sentence, data and command; figures for reference also with a table of
// numbers.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "report/html_drawing.hpp"
#include "report/html_sections.hpp"

namespace ropewalk::report::html {

using plot::figure;
using plot::panel;
using plot::series;

namespace {

constexpr int digits_of_data = 6;  // of numbers in the page; the figure's command writes all digits

double rounded(double value) { return std::stod(fmt::format("{:.{}g}", value, digits_of_data)); }

/// The figure's data for the page: without hints, which the drawing has, and without large heat maps.
figure embedded_data(figure figure) {
  for (panel& panel : figure.panels) {
    if (panel.cells && panel.cells->values.size() > plot::most_plain_cells) panel.cells.reset();
    if (panel.cells)
      for (double& value : panel.cells->values) value = rounded(value);
    for (series& line : panel.series) {
      line.hints.clear();
      for (std::vector<double>* const values : {&line.x, &line.y, &line.upper})
        for (double& value : *values) value = rounded(value);
    }
  }
  return figure;
}

bool has_large_cells(const figure& figure) {
  return std::any_of(figure.panels.begin(), figure.panels.end(), [](const panel& panel) {
    return panel.cells && panel.cells->values.size() > plot::most_plain_cells;
  });
}

/// A link that contains the data; needs neither a file nor a script.
std::string data_link(const std::string& json) {
  constexpr std::string_view kept = "-_.~!*'(),:;{}[]/?@+=$";
  std::string link = "data:application/json;charset=utf-8,";
  for (const char letter : json)
    link += std::isalnum(static_cast<unsigned char>(letter)) != 0 || kept.find(letter) != kept.npos
                ? std::string(1, letter)
                : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  return link;
}

/// Whether the series have the same x values, so that they can be columns of one table.
bool share_places(const std::vector<const series*>& all) {
  return std::all_of(all.begin(), all.end(),
                     [&](const series* series) { return series->x == all.front()->x && !series->x.empty(); });
}

/// The named lines of a panel with as many points as the first; guides have fewer.
std::vector<const series*> table_columns(const panel& panel) {
  std::vector<const series*> columns;
  for (const series& series : panel.series)
    if (!series.name.empty() && series.mark != plot::mark::band && series.x.size() > 2)
      columns.push_back(&series);
  return columns;
}

/// A table of a panel whose lines share their x values: one row per value.
void add_numbers(node to, const panel& panel) {
  const std::vector<const series*> columns = table_columns(panel);
  if (columns.empty() || !share_places(columns)) return;
  std::vector<heading> headings{{panel.x.title, "", true}};
  for (const series* column : columns) headings.push_back({column->name, "", true});
  node body =
      add_table(to, panel.title.empty() ? panel.y.title : fmt::format("{}: {}", panel.title, panel.y.title),
                headings, true);
  for (std::size_t i = 0; i < columns.front()->x.size(); ++i) {
    node row = add(body, "tr");
    add_number(row, number_text(columns.front()->x[i], 6), columns.front()->x[i]);
    for (const series* column : columns) add_number(row, number_text(column->y[i], 5), column->y[i]);
  }
}

/// One row per kernel, one column per position.
void add_reported_errors(node to, const page& page) {
  if (page.errors.empty()) return;
  std::vector<heading> headings{{"kernel"}};
  for (const std::int64_t position : reported_positions)
    headings.push_back({"near " + positions_text(position), "", true});
  node body =
      add_table(to, "Largest distance of a pair from the exact (cos, sin), in binary32", headings, true);
  for (const reported_errors& errors : page.errors) {
    node row = add(body, "tr");
    set(row, "data-kernel", errors.kernel);
    set(add(row, "th", errors.kernel), "scope", "row");
    for (const double distance : errors.distances) add_number(row, number_text(distance), distance);
  }
}

/// Tables of figures for reference. The script makes those of other figures from their data.
void add_tables(node to, const figure& figure, const page& page) {
  if (figure.name == "error-by-position") return add_reported_errors(to, page);
  if (figure.name != "wavelengths") return;
  node unfolding = add_details(to, "Numbers, pair by pair");
  set(unfolding, "open", "open");
  for (const panel& panel : figure.panels) add_numbers(unfolding, panel);
}

/// The names of a figure's legends with their colours, for narrow screens where the drawing scrolls.
void add_keys(node to, const figure& figure) {
  std::vector<std::string> names;
  node list;
  for (const panel& panel : figure.panels)
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const std::string& name = panel.series[i].name;
      if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
      if (names.empty()) list = add_classed(to, "p", "legend keys");
      names.push_back(name);
      const plot::look look = plot::look_of(panel, i);
      node key = add(list, "span");
      set(add(key, "i"), "style",
          fmt::format("border-color: var(--figure-{}); border-top-style: {}", look.colour->name,
                      look.dash == 1 ? "solid" : "dashed"));
      add_text(key, name);
    }
}

void add_figure(node to, const page& in, std::size_t number) {
  const drawn_figure& drawn = in.figures[number];
  node here = add(to, "figure");
  set(here, "id", "figure-" + drawn.figure.name);
  node heading = add(here, "figcaption");
  add(heading, "h3", drawn.figure.title);
  add_classed(heading, "p", "sentence", drawn.figure.sentence);
  add_drawing(here, drawn, number);
  add_keys(here, drawn.figure);
  add_tables(here, drawn.figure, in);
  add(add_details(here, "In words"), "p", drawn.figure.alt);
  node foot = add_classed(here, "div", "foot");
  add(foot, "code", drawn.figure.command);
  node link =
      add(foot, "a", has_large_cells(drawn.figure) ? "data (JSON, without the cells)" : "data (JSON)");
  set(link, "download", drawn.figure.name + ".json");
  link.append_attribute("href") = data_link(plot::as_json(embedded_data(drawn.figure))).c_str();
}

}  // namespace

void add_figures(node to, const page& page) {
  node section = add(to, "section");
  section.append_attribute("id") = "figures";
  add(section, "h2", "Figures");
  node list = add_classed(section, "ul", "contents");
  for (const drawn_figure& drawn : page.figures)
    set(add(add(list, "li"), "a", drawn.figure.title), "href", "#figure-" + drawn.figure.name);
  for (std::size_t i = 0; i < page.figures.size(); ++i) add_figure(section, page, i);
}

}  // namespace ropewalk::report::html
