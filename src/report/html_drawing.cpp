#include "report/html_drawing.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ropewalk::report::html {
namespace {

/// Attributes with their initial values, which no ancestor in gnuplot's SVG changes.
constexpr std::pair<const char*, std::string_view> initial_values[] = {{"stroke-linecap", "butt"},
                                                                       {"stroke-linejoin", "miter"}};
constexpr std::pair<const char*, std::string_view> given_by_class[] = {
    {"color", "figure-c-"}, {"fill", "figure-f-"}, {"stroke", "figure-s-"}};

/// Calls visit for an element and all its descendants.
template <class Visit>
void each_element(node element, const Visit& visit) {
  visit(element);
  for (node node : element.children()) each_element(node, visit);
}

/// HTML accepts href for SVG 1.1's xlink:href, and needs no namespaces.
void shorten(node node) {
  const std::string_view classes = node.attribute("class").value();
  for (const auto& [attribute, prefix] : given_by_class)
    if (classes.find(prefix) != classes.npos) node.remove_attribute(attribute);
  for (const auto& [attribute, value] : initial_values)
    if (node.attribute(attribute).value() == value) node.remove_attribute(attribute);
  for (const char* name : {"xmlns", "xmlns:xlink"}) node.remove_attribute(name);
  node.attribute("xlink:href").set_name("href");
}

std::set<std::string> ids_in_use(node drawing) {
  std::set<std::string> ids;
  each_element(drawing, [&](node node) {
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::string value = attribute.value();
      if (std::string_view(attribute.name()) == "href" && value.starts_with('#')) ids.insert(value.substr(1));
      if (std::string_view(attribute.name()) == "aria-describedby") ids.insert(value);
      if (value.starts_with("url(#")) ids.insert(value.substr(5, value.size() - 6));
    }
  });
  return ids;
}

/// Repeatedly drops unused definitions, then ids without references.
void drop_unused(node drawing) {
  std::set<std::string> used;
  for (std::vector<node> unused(1); !unused.empty();) {
    used = ids_in_use(drawing);
    unused.clear();
    for (const pugi::xpath_node& node : drawing.select_nodes(".//defs/*[@id]"))
      if (used.count(node.node().attribute("id").value()) == 0) unused.push_back(node.node());
    for (node node : unused) node.parent().remove_child(node);
  }
  each_element(drawing, [&](node node) {
    if (used.count(node.attribute("id").value()) == 0) node.remove_attribute("id");
  });
}

/// Replaces referenced ids by short names that begin with the prefix.
void shorten_ids(node drawing, const std::string& prefix) {
  std::map<std::string, std::string> names;
  for (const std::string& id : ids_in_use(drawing))
    names["#" + id] = "#" + prefix + std::to_string(names.size());
  each_element(drawing, [&](node node) {
    for (const char* name : {"id", "aria-describedby"})
      if (const auto match = names.find(std::string("#") + node.attribute(name).value());
          match != names.end())
        node.attribute(name).set_value(match->second.c_str() + 1);
    if (const auto match = names.find(node.attribute("href").value()); match != names.end())
      node.attribute("href").set_value(match->second.c_str());
  });
}

}  // namespace

void add_drawing(node to, const drawn_figure& drawn, std::size_t number) {
  pugi::xml_document document;
  const pugi::xml_parse_result read = document.load_string(drawn.svg.c_str());
  if (!read || !document.child("svg"))
    throw std::runtime_error("figure " + drawn.figure.name +
                             " is not an SVG document: " + read.description());
  node box = add_classed(to, "div", "drawing");
  box.append_attribute("tabindex") = 0;  // it scrolls sideways on a phone
  box.append_attribute("role") = "group";
  set(box, "aria-label", drawn.figure.title);
  const node drawing = box.append_copy(document.child("svg"));
  each_element(drawing, shorten);
  drop_unused(drawing);
  shorten_ids(drawing, fmt::format("f{}-", number));
}

}  // namespace ropewalk::report::html
