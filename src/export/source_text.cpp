#include "export/source_text.hpp"

#include <cctype>

namespace ropewalk::tables {
namespace {

constexpr std::int64_t numbers_per_line = 8;

std::string guard_of(const source_array& array, std::string_view suffix) {
  std::string text = array.name + std::string(suffix);
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

/// Extents of axes first .. last - 1, as in [300][64].
std::string extents(const std::vector<std::int64_t>& shape, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t axis = first; axis < last; ++axis) text += "[" + std::to_string(shape[axis]) + "]";
  return text;
}

std::string_view c_type(source_element element) {
  switch (element) {
    case source_element::f64: return "double";
    case source_element::f32: return "float";
    case source_element::narrow: return "uint16_t";
    case source_element::i32: return "int32_t";
    case source_element::u32: break;
  }
  return "uint32_t";
}

std::string_view rust_type(source_element element) {
  switch (element) {
    case source_element::f64: return "f64";
    case source_element::f32: return "f32";
    case source_element::narrow: return "u16";
    case source_element::i32: return "i32";
    case source_element::u32: break;
  }
  return "u32";
}

std::string glsl_type(const source_array& array) {
  const bool is_double = array.element == source_element::f64, is_word = array.element == source_element::u32;
  if (array.element == source_element::i32) return "int";
  if (!array.is_of_vectors) return is_double ? "double" : is_word ? "uint" : "float";
  return (is_double ? "dvec" : is_word ? "uvec" : "vec") + std::to_string(array.shape.back());
}

}  // namespace

source_language c_language(const source_array& array) {
  const bool is_floating = array.element == source_element::f64 || array.element == source_element::f32;
  std::string text;
  if (!is_floating) text += "#include <stdint.h>\n\n";
  if (is_floating && array.is_infinite_somewhere) text += "#include <math.h>\n\n";
  // In C++ one constexpr array for the whole program; in C one per file, without a warning if it is unused.
  text +=
      "#if defined(__cplusplus)\ninline constexpr\n"
      "#elif defined(__GNUC__)\n__attribute__((unused)) static const\n"
      "#else\nstatic const\n#endif\n";
  text += std::string(c_type(array.element)) + " " + array.name + extents(array.shape, 0, array.shape.size());
  return {guard_of(array, "_h"), text + " = ", std::vector<axis_brackets>(array.shape.size(), {"{", "}"})};
}

source_language glsl_language(const source_array& array) {
  const std::size_t axes = array.shape.size() - (array.is_of_vectors ? 1 : 0);
  const std::string type = glsl_type(array);
  source_language made{.guard = guard_of(array, "_glsl"), .declaration = {}, .axes = {}};
  made.declaration = "const " + type + " " + array.name + extents(array.shape, 0, axes) + " = ";
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis)
    made.axes.push_back({type + extents(array.shape, axis, axes) + "(", ")"});
  return made;
}

source_language python_language(const source_array& array) {
  return {.guard = {},
          .declaration = array.name + " = ",
          .axes = std::vector<axis_brackets>(array.shape.size(), {"[", "]"}),
          .comment = "#",
          .end = {}};
}

source_language rust_language(const source_array& array) {
  std::string type(rust_type(array.element));
  for (std::size_t axis = array.shape.size(); axis-- > 0;)
    type = "[" + type + "; " + std::to_string(array.shape[axis]) + "]";
  return {.guard = {},
          .declaration = "#[allow(non_upper_case_globals)]\npub static " + array.name + ": " + type + " = ",
          .axes = std::vector<axis_brackets>(array.shape.size(), {"[", "]"})};
}

source_format::source_format(source_array array, source_language language)
    : array_(std::move(array)), language_(std::move(language)), sizes_(array_.shape.size()) {
  std::int64_t product = 1;
  for (std::size_t axis = sizes_.size(); axis-- > 0;) sizes_[axis] = product *= array_.shape[axis];
}

std::string source_format::begin(std::string_view record) const {
  // The record ends with a brace, and no remark ends with a backslash: no comment continues on the next line.
  std::string text = language_.comment + " " + std::string(record) + "\n";
  for (const std::string& remark : array_.remarks) text += language_.comment + " " + remark + "\n";
  if (!language_.guard.empty())
    text += "#ifndef " + language_.guard + "\n#define " + language_.guard + "\n\n";
  return text + language_.declaration + language_.axes[0].open;
}

std::string source_format::row(const text_row& row, std::int64_t at) const {
  std::string text;
  for (std::int64_t i = 0; i < array_.columns; ++i) {
    const std::int64_t number = at * array_.columns + i;
    if (number > 0) text += ",";
    text += (array_.columns > 1 ? i : number) % numbers_per_line == 0 ? "\n    " : " ";
    for (std::size_t axis = 1; axis < sizes_.size(); ++axis)
      if (number % sizes_[axis] == 0) text += language_.axes[axis].open;
    text += row.entries[static_cast<std::size_t>(i)];
    for (std::size_t axis = sizes_.size(); axis-- > 1;)
      if ((number + 1) % sizes_[axis] == 0) text += language_.axes[axis].close;
  }
  return text;
}

}  // namespace ropewalk::tables
