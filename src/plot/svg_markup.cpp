#include "plot/svg_markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <pugixml.hpp>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "output/plain_text.hpp"
#include "plot/base64.hpp"
#include "plot/cell_codes.hpp"
#include "plot/cells_image.hpp"
#include "plot/short_path.hpp"
#include "plot/style.hpp"

namespace ropewalk::plot {
namespace {

constexpr const char* plot_infix = "_plot_";

/// Sets an attribute, which may exist already. Escapes characters that XML excludes.
void set(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(output::plain_line(value).c_str());
}

void set_text(pugi::xml_node parent, const char* element, const std::string& text,
              const std::string& id = "") {
  pugi::xml_node node = parent.prepend_child(element);
  if (!id.empty()) set(node, "id", id);
  node.text().set(output::plain_text(text).c_str());
}

/// The style sheet's colour named by gnuplot's text; null for others.
const paint* paint_in(std::string_view text) {
  if (text == "black") return &paint_named("ink");
  if (text == "gray") return &paint_named("grid");
  std::array<unsigned, 3> parts{};
  if (std::sscanf(std::string(text).c_str(), "rgb(%u,%u,%u)", &parts[0], &parts[1], &parts[2]) != 3)
    return nullptr;
  const std::string hex = fmt::format("#{:02x}{:02x}{:02x}", parts[0], parts[1], parts[2]);
  for (const paint& colour : paints())
    if (colour.light == hex) return &colour;
  return nullptr;
}

/// Adds the classes of an element's colours, so that a style sheet can change them. Attributes keep the light
/// colours, for readers without style sheets.
void class_colours(pugi::xml_node node) {
  std::string classes = node.attribute("class").value();
  for (const char* name : {"stroke", "fill", "color"}) {
    pugi::xml_attribute attribute = node.attribute(name);
    const paint* colour = attribute ? paint_in(attribute.value()) : nullptr;
    if (colour == nullptr) continue;
    attribute.set_value(std::string(colour->light).c_str());
    classes += fmt::format("{}figure-{}-{}", classes.empty() ? "" : " ", name[0], colour->name);
  }
  if (!classes.empty()) set(node, "class", classes);
}

/// Attributes that gnuplot repeats in nearly every group; set once, on the group of all groups.
constexpr std::pair<const char*, const char*> usual_attributes[] = {
    {"fill", "none"},           {"stroke", "currentColor"},   {"stroke-width", "1.00"},
    {"stroke-linecap", "butt"}, {"stroke-linejoin", "miter"}, {"font-family", "sans-serif"}};

/// Drops attributes that the element inherits. Groups in between have no such attributes.
void drop_usual_attributes(pugi::xml_node node) {
  for (const auto& [name, value] : usual_attributes)
    if (std::string_view(node.attribute(name).value()) == value) node.remove_attribute(name);
  if (std::string_view(node.attribute("color").value()) == "black") node.remove_attribute("color");
}

/// gnuplot takes a font's weight as a part of its name.
void separate_weight(pugi::xml_node node) {
  if (std::string_view(node.attribute("font-family").value()) != "sans-serif:Bold") return;
  node.remove_attribute("font-family");
  set(node, "font-weight", "bold");
}

void set_usual_attributes(pugi::xml_node canvas) {
  for (const auto& [name, value] : usual_attributes) set(canvas, name, value);
  set(canvas, "color", "black");
  class_colours(canvas);
}

bool has_elements(pugi::xml_node node) {
  return std::any_of(node.begin(), node.end(),
                     [](pugi::xml_node element) { return element.type() == pugi::node_element; });
}

/// Gives colours their classes and ids their prefix, and drops elements that draw nothing.
class cleaning : public pugi::xml_tree_walker {
 public:
  explicit cleaning(std::string id) : id_(std::move(id)) {}

  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) == "g") drop_usual_attributes(node);
    separate_weight(node);
    if (pugi::xml_attribute path = node.attribute("d"); path && std::string_view(node.name()) == "path")
      if (const auto shorter = short_path(path.value())) path.set_value(shorter->c_str());
    class_colours(node);
    if (pugi::xml_attribute id = node.attribute("id"); id && std::string_view(id.value()).starts_with("gp"))
      id.set_value((id_ + "_" + id.value()).c_str());
    if (node.attribute("id") && std::string_view(node.attribute("id").value()).starts_with("gnuplot")) {
      set(node, "id", id_ + "_canvas");
      set_usual_attributes(node);
    }
    if (pugi::xml_attribute link = node.attribute("xlink:href"); link && link.value()[0] == '#')
      link.set_value(("#" + id_ + "_" + (link.value() + 1)).c_str());
    const std::string_view name = node.name();
    const bool is_unseen = name == "rect" && std::string_view(node.attribute("fill").value()) == "none";
    if (name == "filter" || is_unseen || (name == "g" && !has_elements(node))) dropped_.push_back(node);
    return true;
  }

  void drop() const {
    for (pugi::xml_node node : dropped_) node.parent().remove_child(node);
  }

 private:
  std::string id_;
  std::vector<pugi::xml_node> dropped_;
};

/// The groups of gnuplot's plots, in their order.
class plot_groups : public pugi::xml_tree_walker {
 public:
  explicit plot_groups(std::string id) : prefix_(std::move(id) + plot_infix) {}

  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.attribute("id").value()).starts_with(prefix_)) nodes.push_back(node);
    return true;
  }

  std::vector<pugi::xml_node> nodes;

 private:
  std::string prefix_;
};

void collect_points(pugi::xml_node node, std::vector<pugi::xml_node>& to) {
  for (pugi::xml_node element : node) {
    if (std::string_view(element.name()) == "use") to.push_back(element);
    collect_points(element, to);
  }
}

/// Replaces a point by an invisible circle for pointers, which is shorter.
pugi::xml_node hover_target(pugi::xml_node point) {
  double x = 0, y = 0;
  static_cast<void>(std::sscanf(point.attribute("transform").value(), "translate(%lf,%lf)", &x, &y));
  pugi::xml_node parent = point.parent(), circle = parent.insert_child_before("circle", point);
  set(circle, "cx", fmt::format("{:.1f}", x));
  set(circle, "cy", fmt::format("{:.1f}", y));
  set(circle, "r", "6");
  set(circle, "fill", "#fff");  // visible only to pointers; its group is transparent
  parent.remove_child(point);
  return circle;
}

void add_hints(pugi::xml_node group, const series& series, const plotted& drawn) {
  std::vector<pugi::xml_node> points;
  collect_points(group, points);
  const bool is_hidden = drawn.what == plotted::part::hints && series.mark != mark::line_with_points;
  if (is_hidden) set(group, "opacity", "0");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_hidden) points[i] = hover_target(points[i]);
    const bool has_hint = points.size() == drawn.points.size() && drawn.points[i] < series.hints.size();
    if (has_hint) set_text(points[i], "title", series.hints[drawn.points[i]]);
  }
}

bool is_tag_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || letter == '-';
  });
}

std::string_view name_of(plotted::part part) {
  switch (part) {
    case plotted::part::data: return "data";
    case plotted::part::hints: return "hints";
    case plotted::part::labels: return "labels";
    case plotted::part::legend: return "legend";
    case plotted::part::cells:
    case plotted::part::cells_stand_in: return "cells";
    case plotted::part::nothing: break;
  }
  return "nothing";
}

/// Replaces the stand-in image of a heat map by its cells.
void replace_image(pugi::xml_node group, const heat_map& cells) {
  constexpr std::size_t few = 300;  // fewer cells than pixels keep sharp edges when enlarged
  pugi::xml_node image = group.select_node(".//image").node();
  if (!image) throw std::runtime_error("gnuplot drew no image");
  const cells_image made = image_of(cells);
  set(image, "xlink:href", "data:image/png;base64," + base64(made.png));
  if (cells.rows <= few && cells.columns <= few) set(image, "image-rendering", "pixelated");
  if (!made.is_transposed) return;
  for (const auto& [place, other] : {std::pair("x", "y"), std::pair("width", "height")}) {
    const std::string kept = image.attribute(place).value();
    set(image, place, image.attribute(other).value());
    set(image, other, kept);
  }
  set(image, "transform", "matrix(0,1,1,0,0,0)");  // exchanges x and y
}

void mark_series(pugi::xml_node group, const figure& figure, const plotted& drawn, std::size_t number) {
  const series& series = figure.panels[drawn.panel].series[drawn.series];
  set(group, "data-series", std::to_string(number));
  for (const auto& [tag, value] : series.tags)
    if (is_tag_name(tag)) set(group, ("data-" + tag).c_str(), value);
  if (drawn.what == plotted::part::data || drawn.what == plotted::part::hints)
    add_hints(group, series, drawn);
  if (drawn.what == plotted::part::data && !series.name.empty()) set_text(group, "title", series.name);
}

/// Marks the series that a group draws. `number` counts the series of all panels.
void mark_group(pugi::xml_node group, const figure& figure, const plotted& drawn, std::size_t number) {
  group.remove_child("title");  // gnuplot's, which repeats the id
  set(group, "data-panel", std::to_string(drawn.panel));
  set(group, "data-part", std::string(name_of(drawn.what)));
  if (drawn.what == plotted::part::cells_stand_in) replace_image(group, *figure.panels[drawn.panel].cells);
  if (drawn.what != plotted::part::cells && drawn.what != plotted::part::cells_stand_in &&
      drawn.what != plotted::part::nothing)
    mark_series(group, figure, drawn, number);
}

/// The heat maps of a figure, in its order.
std::vector<const heat_map*> heat_maps_of(const figure& figure) {
  std::vector<const heat_map*> maps;
  for (const panel& panel : figure.panels)
    if (panel.cells) maps.push_back(&*panel.cells);
  return maps;
}

/// The numbers of a list of points.
std::vector<double> numbers_in(std::string_view points) {
  std::string text(points);
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  std::vector<double> numbers;
  for (double value = 0; words >> value;) numbers.push_back(value);
  return numbers;
}

/// All codes of a heat map's colours, the largest first.
heat_map bar_of_colours(bool is_diverging) {
  heat_map bar{.rows = static_cast<std::size_t>(largest_code) + 1, .columns = 1, .values = {}, .title = {}};
  for (int code = largest_code; code >= 0; --code)
    bar.values.push_back(is_diverging ? code - largest_code / 2.0 : code);
  bar.is_diverging = is_diverging;
  return bar;
}

/// Replaces the colour bar, which gnuplot draws as polygons from the least to the most, by an image. The
/// corners of each polygon are bottom left, bottom right, top right, top left.
void replace_bar(pugi::xml_node group, bool is_diverging) {
  const std::vector<double> first = numbers_in(group.child("polygon").attribute("points").value());
  const std::vector<double> last = numbers_in(group.last_child().attribute("points").value());
  if (first.size() != 8 || last.size() != 8)
    throw std::runtime_error("gnuplot drew an unexpected colour bar");
  const cells_image made = image_of(bar_of_colours(is_diverging));
  group.remove_children();
  pugi::xml_node image = group.append_child("image");
  set(image, made.is_transposed ? "y" : "x", fmt::format("{:.1f}", first[0]));
  set(image, made.is_transposed ? "x" : "y", fmt::format("{:.1f}", last[5]));
  set(image, made.is_transposed ? "height" : "width", fmt::format("{:.1f}", first[2] - first[0]));
  set(image, made.is_transposed ? "width" : "height", fmt::format("{:.1f}", first[1] - last[5]));
  set(image, "preserveAspectRatio", "none");
  if (made.is_transposed) set(image, "transform", "matrix(0,1,1,0,0,0)");
  set(image, "xlink:href", "data:image/png;base64," + base64(made.png));
}

void replace_bars(pugi::xml_node svg, const figure& figure) {
  constexpr const char* bars = "//g[@shape-rendering='crispEdges'][count(polygon) > 64]";
  const std::vector<const heat_map*> maps = heat_maps_of(figure);
  const pugi::xpath_node_set set = svg.select_nodes(bars);
  for (std::size_t i = 0; i < std::min(set.size(), maps.size()); ++i)
    replace_bar(set[i].node(), maps[i]->is_diverging);
}

void mark_groups(pugi::xml_node svg, const figure& figure, const script& drawn, const std::string& id) {
  plot_groups groups(id);
  svg.traverse(groups);
  if (groups.nodes.size() != drawn.plots.size())
    throw std::runtime_error(
        fmt::format("gnuplot drew {} of {} series", groups.nodes.size(), drawn.plots.size()));
  std::vector<std::size_t> first;  // number of each panel's first series
  std::size_t count = 0;
  for (const panel& panel : figure.panels) {
    first.push_back(count);
    count += panel.series.size();
  }
  for (std::size_t i = 0; i < groups.nodes.size(); ++i) {
    const plotted& plotted = drawn.plots[i];
    mark_group(groups.nodes[i], figure, plotted, first[plotted.panel] + plotted.series);
  }
}

/// Adds title, size, paper and style sheet to a stand-alone SVG.
void complete_alone(pugi::xml_node svg, const script& drawn, const std::string& id) {
  set(svg, "width", std::to_string(drawn.width));
  set(svg, "height", std::to_string(drawn.height));
  pugi::xml_node paper = svg.prepend_child("rect");
  set(paper, "width", "100%");
  set(paper, "height", "100%");
  set(paper, "fill", std::string(paint_named("paper").light));
  set(paper, "class", "figure-f-paper");
  set_text(svg, "style",
           css_variables("svg:root", false) + "@media (prefers-color-scheme: dark) { " +
               css_variables("svg:root", true) + "}\n" + css_classes());
  set(svg, "aria-labelledby", id + "_title " + id + "_desc");
}

}  // namespace

std::string marked_up(const std::string& svg, const figure& figure, const script& drawn, place where,
                      const std::string& id) {
  pugi::xml_document document;
  const pugi::xml_parse_result read = document.load_buffer(svg.data(), svg.size());
  pugi::xml_node root = document.child("svg");
  if (!read || !root) throw std::runtime_error(std::string("gnuplot wrote no SVG: ") + read.description());
  root.remove_child("title");
  root.remove_child("desc");
  mark_groups(root, figure, drawn, id);
  replace_bars(root, figure);
  cleaning clean(id);
  root.traverse(clean);
  clean.drop();
  set(root, "role", "img");
  set(root, "class", "figure-svg");
  if (where == place::alone)
    complete_alone(root, drawn, id);
  else
    set(root, "aria-label", figure.title);  // a <title> would be a tooltip everywhere in the figure
  if (where == place::page) set(root, "aria-describedby", id + "_desc");
  set_text(root, "desc", figure.alt, id + "_desc");
  if (where == place::alone) set_text(root, "title", figure.title, id + "_title");
  std::ostringstream text;
  root.print(text, "", pugi::format_raw | pugi::format_no_declaration);
  return where == place::alone ? "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + text.str() + "\n"
                               : text.str();
}

}  // namespace ropewalk::plot
