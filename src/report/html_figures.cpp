// The page's figures, each with its sentence, its data, the command that makes it alone and, of figures that
// are looked up, a table of its numbers.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "report/html_sections.hpp"

namespace ropewalk::report::html {

using plot::figure;
using plot::panel;
using plot::series;

namespace {

constexpr std::size_t most_table_rows = 300;  // of a figure's numbers; its data has them all

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

std::vector<const series*> series_of(const figure& of) {
  std::vector<const series*> r;
  for (const panel& one : of.panels)
    for (const series& line : one.series) r.push_back(&line);
  return r;
}

/// Puts the drawing into the page.
void add_drawing(node to, const drawn_figure& of) {
  pugi::xml_document document;
  const pugi::xml_parse_result read = document.load_string(of.svg.c_str());
  const node drawing = document.child("svg");
  if (!read || !drawing)
    throw std::runtime_error("figure " + of.figure.name + " is no SVG document: " + read.description());
  node box = add_classed(to, "div", "drawing");
  box.append_attribute("tabindex") = 0;  // it scrolls sideways on a phone
  box.append_attribute("role") = "group";
  set(box, "aria-label", of.figure.title);
  box.append_copy(drawing);
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
  if (columns.empty() || columns.size() > 12 || !share_places(columns) ||
      columns.front()->x.size() > most_table_rows)
    return;
  std::vector<heading> headings{{of.x.title, "", true}};
  for (const series* one : columns) headings.push_back({one->name, "", true});
  node body = add_table(to, of.title.empty() ? of.y.title : fmt::format("{}: {}", of.title, of.y.title),
                        headings, true);
  for (std::size_t i = 0; i < columns.front()->x.size(); ++i) {
    node row = add(body, "tr");
    add_number(row, number_text(columns.front()->x[i], 6), columns.front()->x[i]);
    for (const series* one : columns) {
      node cell = add_number(row, number_text(one->y[i], 5), one->y[i]);
      if (!one->hints.empty()) set(cell, "title", one->hints[i]);
    }
  }
}

/// The point nearest to a position; NaN where the line has none within a tenth of it.
double value_near(const series& of, double position) {
  constexpr double within = 0.1;
  double r = std::nan(""), nearest = within * position;
  for (std::size_t i = 0; i < of.x.size(); ++i)
    if (const double away = std::abs(of.x[i] - position); away <= nearest) {
      nearest = away;
      r = of.y[i];
    }
  return r;
}

/// A row a kernel, a column a position that people ask about.
void add_errors_at_positions(node to, const figure& of) {
  constexpr double positions[] = {100, 1000, 10000, 100000, 1e6, 1e7, 2147483647};
  std::vector<heading> headings{{"kernel"}};
  for (const double one : positions) headings.push_back({number_text(one), "", true});
  node body =
      add_table(to, "Largest distance of a pair from the exact (cos, sin), by position", headings, true);
  for (const series* one : series_of(of)) {
    if (one->name.empty() || one->mark == plot::mark::band || one->tags.count("kernel") == 0) continue;
    node row = add(body, "tr");
    for (const auto& [name, value] : one->tags)
      if (name == "kernel" || name == "dtype") set(row, ("data-" + name).c_str(), value);
    set(add(row, "th", one->name), "scope", "row");
    for (const double position : positions) {
      const double value = value_near(*one, position);
      add_number(row, number_text(value), value);
    }
  }
}

void add_tables(node to, const figure& of) {
  if (of.name == "error-by-position") return add_errors_at_positions(to, of);
  node unfolding = add_details(to, "Numbers");
  for (const panel& one : of.panels) add_numbers(unfolding, one);
  if (unfolding.child("div").empty()) to.remove_child(unfolding);
}

void add_figure(node to, const drawn_figure& of) {
  node here = add(to, "figure");
  set(here, "id", "figure-" + of.figure.name);
  node heading = add(here, "figcaption");
  add(heading, "h3", of.figure.title);
  add_classed(heading, "p", "sentence", of.figure.sentence);
  add_drawing(here, of);
  add_tables(here, of.figure);
  add(add_details(here, "In words"), "p", of.figure.alt);
  node foot = add_classed(here, "div", "foot");
  add(foot, "code", of.figure.command);
  node link = add(foot, "a", "data (JSON)");
  set(link, "download", of.figure.name + ".json");
  link.append_attribute("href") = data_link(plot::as_json(of.figure)).c_str();
}

}  // namespace

void add_figures(node to, const page& of) {
  node section = add(to, "section");
  section.append_attribute("id") = "figures";
  add(section, "h2", "Figures");
  node list = add_classed(section, "ul", "contents");
  for (const drawn_figure& one : of.figures)
    set(add(add(list, "li"), "a", one.figure.title), "href", "#figure-" + one.figure.name);
  for (const drawn_figure& one : of.figures) add_figure(section, one);
}

}  // namespace ropewalk::report::html
