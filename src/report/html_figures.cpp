// The page's figures, each with its sentence, its data, the command that makes it alone and, of figures that
// are looked up, a table of its numbers.

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

constexpr int digits_of_data = 6;  // of numbers in the page; the figure's command writes all of them

double rounded(double value) { return std::stod(fmt::format("{:.{}g}", value, digits_of_data)); }

/// The figure as the page embeds it: without hints, which the drawing has, and without heat maps that are too
/// large to be numbers.
figure embedded_data(figure of) {
  for (panel& one : of.panels) {
    if (one.cells && one.cells->values.size() > plot::most_plain_cells) one.cells.reset();
    if (one.cells)
      for (double& value : one.cells->values) value = rounded(value);
    for (series& line : one.series) {
      line.hints.clear();
      for (std::vector<double>* const values : {&line.x, &line.y, &line.upper})
        for (double& value : *values) value = rounded(value);
    }
  }
  return of;
}

bool has_large_cells(const figure& of) {
  return std::any_of(of.panels.begin(), of.panels.end(), [](const panel& one) {
    return one.cells && one.cells->values.size() > plot::most_plain_cells;
  });
}

/// The data as a link that needs neither a file nor a script.
std::string data_link(const std::string& json) {
  constexpr std::string_view kept = "-_.~!*'(),:;{}[]/?@+=$";
  std::string r = "data:application/json;charset=utf-8,";
  for (const char letter : json)
    r += std::isalnum(static_cast<unsigned char>(letter)) != 0 || kept.find(letter) != kept.npos
             ? std::string(1, letter)
             : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  return r;
}

/// Whether the series have the same places on the axis, so that they are columns of one table.
bool share_places(const std::vector<const series*>& all) {
  return std::all_of(all.begin(), all.end(),
                     [&](const series* one) { return one->x == all.front()->x && !one->x.empty(); });
}

/// The named lines of a panel that have as many points as the first has; guides have fewer.
std::vector<const series*> table_columns(const panel& of) {
  std::vector<const series*> r;
  for (const series& one : of.series)
    if (!one.name.empty() && one.mark != plot::mark::band && one.x.size() > 2) r.push_back(&one);
  return r;
}

/// The numbers of a panel whose lines share their places, a row a place.
void add_numbers(node to, const panel& of) {
  const std::vector<const series*> columns = table_columns(of);
  if (columns.empty() || !share_places(columns)) return;
  std::vector<heading> headings{{of.x.title, "", true}};
  for (const series* one : columns) headings.push_back({one->name, "", true});
  node body = add_table(to, of.title.empty() ? of.y.title : fmt::format("{}: {}", of.title, of.y.title),
                        headings, true);
  for (std::size_t i = 0; i < columns.front()->x.size(); ++i) {
    node row = add(body, "tr");
    add_number(row, number_text(columns.front()->x[i], 6), columns.front()->x[i]);
    for (const series* one : columns) add_number(row, number_text(one->y[i], 5), one->y[i]);
  }
}

/// A row a kernel, a column a position.
void add_reported_errors(node to, const page& of) {
  if (of.told.empty()) return;
  std::vector<heading> headings{{"kernel"}};
  for (const std::int64_t one : reported_positions)
    headings.push_back({"near " + positions_text(one), "", true});
  node body =
      add_table(to, "Largest distance of a pair from the exact (cos, sin), in binary32", headings, true);
  for (const reported_errors& one : of.told) {
    node row = add(body, "tr");
    set(row, "data-kernel", one.kernel);
    set(add(row, "th", one.kernel), "scope", "row");
    for (const double distance : one.distances) add_number(row, number_text(distance), distance);
  }
}

/// Tables of what readers look up. The script makes those of other figures from their data.
void add_tables(node to, const figure& shown, const page& of) {
  if (shown.name == "error-by-position") return add_reported_errors(to, of);
  if (shown.name != "wavelengths") return;
  node unfolding = add_details(to, "Numbers, pair by pair");
  set(unfolding, "open", "open");
  for (const panel& one : shown.panels) add_numbers(unfolding, one);
}

/// The names of a figure's legends with their colours, for screens on which the drawing scrolls.
void add_keys(node to, const figure& of) {
  std::vector<std::string> told;
  node list;
  for (const panel& one : of.panels)
    for (std::size_t i = 0; i < one.series.size(); ++i) {
      const std::string& name = one.series[i].name;
      if (name.empty() || std::find(told.begin(), told.end(), name) != told.end()) continue;
      if (told.empty()) list = add_classed(to, "p", "legend keys");
      told.push_back(name);
      const plot::look look = plot::look_of(one, i);
      node key = add(list, "span");
      set(add(key, "i"), "style",
          fmt::format("border-color: var(--figure-{}); border-top-style: {}", look.colour->name,
                      look.dash == 1 ? "solid" : "dashed"));
      add_text(key, name);
    }
}

void add_figure(node to, const page& in, std::size_t number) {
  const drawn_figure& of = in.figures[number];
  node here = add(to, "figure");
  set(here, "id", "figure-" + of.figure.name);
  node heading = add(here, "figcaption");
  add(heading, "h3", of.figure.title);
  add_classed(heading, "p", "sentence", of.figure.sentence);
  add_drawing(here, of, number);
  add_keys(here, of.figure);
  add_tables(here, of.figure, in);
  add(add_details(here, "In words"), "p", of.figure.alt);
  node foot = add_classed(here, "div", "foot");
  add(foot, "code", of.figure.command);
  node link = add(foot, "a", has_large_cells(of.figure) ? "data (JSON, without the cells)" : "data (JSON)");
  set(link, "download", of.figure.name + ".json");
  link.append_attribute("href") = data_link(plot::as_json(embedded_data(of.figure))).c_str();
}

}  // namespace

void add_figures(node to, const page& of) {
  node section = add(to, "section");
  section.append_attribute("id") = "figures";
  add(section, "h2", "Figures");
  node list = add_classed(section, "ul", "contents");
  for (const drawn_figure& one : of.figures)
    set(add(add(list, "li"), "a", one.figure.title), "href", "#figure-" + one.figure.name);
  for (std::size_t i = 0; i < of.figures.size(); ++i) add_figure(section, of, i);
}

}  // namespace ropewalk::report::html
