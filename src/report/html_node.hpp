#pragma once
// Elements of the page. Text and attributes are escaped on output, so that no text can become markup.

#include <cstdint>
#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::report::html {

using node = pugi::xml_node;

/// Sets an attribute to one line of text.
void set(node node, const char* attribute, std::string_view value);

/// Appends an element, with one line of text in it, and returns it.
node add(node to, const char* element, std::string_view text = {});

/// add() with a class.
node add_classed(node to, const char* element, const char* classes, std::string_view text = {});

/// Appends text to an element's content.
void add_text(node to, std::string_view text);

/// Appends literal text, with its line breaks.
node add_literal(node to, std::string_view text);

/// Appends a collapsed section, and returns the element to fill.
node add_details(node to, std::string_view summary);

/// A column of a table: its heading, and its tooltip.
struct heading {
  std::string text;
  std::string meaning{};
  bool is_number = false;
};

/// Appends a table in its own scrolling box, with its heading row, and returns its body. The page's script
/// sorts sortable tables.
node add_table(node to, std::string_view caption, const std::vector<heading>& columns, bool is_sortable);

/// Appends a cell with a number, sorted by its value. NaN: an empty cell.
node add_number(node row, std::string_view text, double value);

/// A number for readers: whole numbers in groups of three digits, others with `digits` significant digits;
/// "-" for NaN.
std::string number_text(double value, int digits = 3);

/// A number of positions: "131,072"; powers of two from 2^20 on as such.
std::string positions_text(std::int64_t limit);

}  // namespace ropewalk::report::html
