#include "report/html_node.hpp"
#include "output/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ropewalk::report::html {

using output::plain_line;
using output::plain_text;

void set(node element, const char* attribute, std::string_view value) {
  element.append_attribute(attribute) = plain_line(value).c_str();
}

node add(node to, const char* element, std::string_view text) {
  node result = to.append_child(element);
  if (!text.empty()) add_text(result, text);
  return result;
}

node add_classed(node to, const char* element, const char* classes, std::string_view text) {
  node classed = add(to, element, text);
  classed.append_attribute("class") = classes;
  return classed;
}

void add_text(node to, std::string_view text) {
  to.append_child(pugi::node_pcdata).set_value(plain_line(text).c_str());
}

node add_literal(node to, std::string_view text) {
  node literal = to.append_child("pre");
  literal.append_attribute("tabindex") = 0;  // it scrolls sideways, by the keyboard too
  literal.append_child(pugi::node_pcdata).set_value(plain_text(text).c_str());
  return literal;
}

node add_details(node to, std::string_view summary) {
  node details = to.append_child("details");
  add(details, "summary", summary);
  return details;
}

node add_table(node to, std::string_view caption, const std::vector<heading>& columns, bool is_sortable) {
  node box = add_classed(to, "div", "scrolls");
  box.append_attribute("tabindex") = 0;
  box.append_attribute("role") = "region";
  set(box, "aria-label", caption);
  node table = add_classed(box, "table", is_sortable ? "sortable" : "plain");
  add(table, "caption", caption);
  node row = add(add(table, "thead"), "tr");
  for (const heading& column : columns) {
    node cell = add_classed(row, "th", column.is_number ? "number" : "word", column.text);
    cell.append_attribute("scope") = "col";
    if (!column.meaning.empty()) set(cell, "title", column.meaning);
  }
  return add(table, "tbody");
}

node add_number(node row, std::string_view text, double value) {
  node cell = add_classed(row, "td", "number", text);
  if (!std::isnan(value)) set(cell, "data-value", fmt::format("{}", value));
  return cell;
}

namespace {

/// "1.2e-05" as "1.2e-5".
std::string without_zeros(std::string scientific) {
  const std::size_t sign = scientific.find('e') + 1;
  const std::size_t first = std::min(scientific.find_first_not_of('0', sign + 1), scientific.size() - 1);
  return scientific.erase(sign + 1, first - sign - 1);
}

}  // namespace

std::string number_text(double value, int digits) {
  constexpr double largest_whole = 1e12, smallest_fixed = 1e-3;
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  const double size = std::abs(value);
  const bool is_plain = size < largest_whole && (size >= smallest_fixed || size == 0);
  if (!is_plain) return without_zeros(fmt::format("{:.{}e}", value, digits - 1));
  const bool is_whole = value == std::floor(value);
  if (!is_whole && size < std::pow(10.0, digits - 1)) return fmt::format("{:.{}g}", value, digits);
  std::string text = fmt::format("{:.0f}", size);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, ",");
  return (value < 0 ? "-" : "") + text;
}

std::string positions_text(std::int64_t limit) {
  constexpr std::int64_t smallest_power = 1 << 20;
  const auto bits = static_cast<std::uint64_t>(limit);
  return limit >= smallest_power && std::has_single_bit(bits) ? fmt::format("2^{}", std::countr_zero(bits))
                                                              : number_text(static_cast<double>(limit));
}

}  // namespace ropewalk::report::html
