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

#include "plot/style.hpp"

namespace ropewalk::plot {
namespace {

constexpr const char* plot_infix = "_plot_";

/// Sets an attribute, which the element may have already.
void set(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute one = node.attribute(name);
  if (!one) one = node.append_attribute(name);
  one.set_value(value.c_str());
}

void set_text(pugi::xml_node parent, const char* element, const std::string& text,
              const std::string& id = "") {
  pugi::xml_node node = parent.prepend_child(element);
  if (!id.empty()) set(node, "id", id);
  node.text().set(text.c_str());
}

/// The colour of the style sheet that gnuplot's text names; null for others.
const paint* paint_in(std::string_view text) {
  if (text == "black") return &paint_named("ink");
  if (text == "gray") return &paint_named("grid");
  std::array<unsigned, 3> parts{};
  if (std::sscanf(std::string(text).c_str(), "rgb(%u,%u,%u)", &parts[0], &parts[1], &parts[2]) != 3)
    return nullptr;
  const std::string hex = fmt::format("#{:02x}{:02x}{:02x}", parts[0], parts[1], parts[2]);
  for (const paint& one : paints())
    if (one.light == hex) return &one;
  return nullptr;
}

/// Gives the element the classes of its colours, so that a style sheet can change them. Each attribute keeps
/// the light colour, for readers without style sheets.
void class_colours(pugi::xml_node node) {
  std::string classes = node.attribute("class").value();
  for (const char* name : {"stroke", "fill", "color"}) {
    pugi::xml_attribute one = node.attribute(name);
    const paint* found = one ? paint_in(one.value()) : nullptr;
    if (found == nullptr) continue;
    one.set_value(std::string(found->light).c_str());
    classes += fmt::format("{}figure-{}-{}", classes.empty() ? "" : " ", name[0], found->name);
  }
  if (!classes.empty()) set(node, "class", classes);
}

/// Attributes that gnuplot repeats in nearly every group: said once, by the group of all of them.
constexpr std::pair<const char*, const char*> usual_attributes[] = {
    {"fill", "none"},           {"stroke", "currentColor"},   {"stroke-width", "1.00"},
    {"stroke-linecap", "butt"}, {"stroke-linejoin", "miter"}, {"font-family", "sans-serif"}};

/// Takes what the element inherits from it. Between them stand only groups without such attributes.
void drop_usual_attributes(pugi::xml_node node) {
  for (const auto& [name, value] : usual_attributes)
    if (std::string_view(node.attribute(name).value()) == value) node.remove_attribute(name);
  if (std::string_view(node.attribute("color").value()) == "black") node.remove_attribute("color");
}

void set_usual_attributes(pugi::xml_node canvas) {
  for (const auto& [name, value] : usual_attributes) set(canvas, name, value);
  set(canvas, "color", "black");
  class_colours(canvas);
}

bool has_elements(pugi::xml_node node) {
  return std::any_of(node.begin(), node.end(),
                     [](pugi::xml_node one) { return one.type() == pugi::node_element; });
}

/// Gives colours their classes and ids their prefix, and drops what draws nothing.
class cleaning : public pugi::xml_tree_walker {
 public:
  explicit cleaning(std::string id) : id_(std::move(id)) {}

  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) == "g") drop_usual_attributes(node);
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
    if (name == "filter" || (name == "g" && !has_elements(node))) dropped_.push_back(node);
    return true;
  }

  void drop() const {
    for (pugi::xml_node one : dropped_) one.parent().remove_child(one);
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
    if (std::string_view(node.attribute("id").value()).starts_with(prefix_)) found.push_back(node);
    return true;
  }

  std::vector<pugi::xml_node> found;

 private:
  std::string prefix_;
};

void collect_points(pugi::xml_node of, std::vector<pugi::xml_node>& to) {
  for (pugi::xml_node one : of) {
    if (std::string_view(one.name()) == "use") to.push_back(one);
    collect_points(one, to);
  }
}

void add_hints(pugi::xml_node group, const series& of, const plotted& drawn) {
  std::vector<pugi::xml_node> points;
  collect_points(group, points);
  const bool is_hidden = drawn.what == plotted::part::hints && of.mark != mark::line_with_points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_hidden) set(points[i], "opacity", "0");
    const bool has_hint = points.size() == drawn.points.size() && drawn.points[i] < of.hints.size();
    if (has_hint) set_text(points[i], "title", of.hints[drawn.points[i]]);
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
    case plotted::part::cells: return "cells";
    case plotted::part::nothing: break;
  }
  return "nothing";
}

/// Says which series a group draws. `number` counts the series of all panels.
void mark_group(pugi::xml_node group, const figure& of, const plotted& drawn, std::size_t number) {
  group.remove_child("title");  // gnuplot's, which repeats the id
  set(group, "data-panel", std::to_string(drawn.panel));
  set(group, "data-part", std::string(name_of(drawn.what)));
  if (drawn.what == plotted::part::cells || drawn.what == plotted::part::nothing) return;
  const series& one = of.panels[drawn.panel].series[drawn.series];
  set(group, "data-series", std::to_string(number));
  for (const auto& [tag, value] : one.tags)
    if (is_tag_name(tag)) set(group, ("data-" + tag).c_str(), value);
  if (drawn.what == plotted::part::data || drawn.what == plotted::part::hints) add_hints(group, one, drawn);
  if (drawn.what == plotted::part::data && !one.name.empty()) set_text(group, "title", one.name);
}

void mark_groups(pugi::xml_node svg, const figure& of, const script& drawn, const std::string& id) {
  plot_groups groups(id);
  svg.traverse(groups);
  if (groups.found.size() != drawn.plots.size())
    throw std::runtime_error(
        fmt::format("gnuplot drew {} of {} series", groups.found.size(), drawn.plots.size()));
  std::vector<std::size_t> first;  // number of each panel's first series
  std::size_t count = 0;
  for (const panel& one : of.panels) {
    first.push_back(count);
    count += one.series.size();
  }
  for (std::size_t i = 0; i < groups.found.size(); ++i) {
    const plotted& one = drawn.plots[i];
    mark_group(groups.found[i], of, one, first[one.panel] + one.series);
  }
}

/// Title, size, paper and style sheet of an SVG that stands alone.
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

std::string marked_up(const std::string& svg, const figure& of, const script& drawn, place where,
                      const std::string& id) {
  pugi::xml_document document;
  const pugi::xml_parse_result read = document.load_buffer(svg.data(), svg.size());
  pugi::xml_node root = document.child("svg");
  if (!read || !root) throw std::runtime_error(std::string("gnuplot wrote no SVG: ") + read.description());
  root.remove_child("title");
  root.remove_child("desc");
  mark_groups(root, of, drawn, id);
  cleaning clean(id);
  root.traverse(clean);
  clean.drop();
  set(root, "role", "img");
  set(root, "class", "figure-svg");
  if (where == place::alone)
    complete_alone(root, drawn, id);
  else
    set(root, "aria-label", of.title);  // a <title> would follow the pointer all over the figure
  if (where == place::page) set(root, "aria-describedby", id + "_desc");
  set_text(root, "desc", of.alt, id + "_desc");
  if (where == place::alone) set_text(root, "title", of.title, id + "_title");
  std::ostringstream text;
  root.print(text, "", pugi::format_raw | pugi::format_no_declaration);
  return where == place::alone ? "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + text.str() + "\n"
                               : text.str();
}

}  // namespace ropewalk::plot
