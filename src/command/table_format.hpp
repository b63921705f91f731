#pragma once
// The kinds of file that a table is written to.

#include <optional>
#include <string_view>

#include "command/table_kind.hpp"

namespace ropewalk::command {

enum class file_format { npy, npz, safetensors, json, csv, c, glsl };

struct file_format_text {
  file_format format;
  std::string_view name;  // on the command line
};

inline constexpr file_format_text file_formats[] = {
    {file_format::npy, "npy"},   {file_format::npz, "npz"}, {file_format::safetensors, "safetensors"},
    {file_format::json, "json"}, {file_format::csv, "csv"}, {file_format::c, "c"},
    {file_format::glsl, "glsl"}};

constexpr std::string_view name_of(file_format format) { return file_formats[static_cast<int>(format)].name; }

constexpr bool is_source(file_format format) {
  return format == file_format::c || format == file_format::glsl;
}

/// The format of files with a suffix; npy where there is none, nothing where it is another.
constexpr std::optional<file_format> format_of_suffix(std::string_view suffix) {
  if (suffix.empty()) return file_format::npy;
  if (suffix == ".h" || suffix == ".hh" || suffix == ".hpp") return file_format::c;
  for (const file_format_text& text : file_formats)
    if (suffix.size() > 1 && suffix.substr(1) == text.name && text.format != file_format::c)
      return text.format;
  return std::nullopt;
}

/// Whether the array has a name in the file.
constexpr bool is_named(file_format format) {
  return is_source(format) || format == file_format::npz || format == file_format::safetensors;
}

/// Formats with room for any number of digits.
constexpr bool has_digits(file_format format) {
  return format == file_format::json || format == file_format::csv;
}

}  // namespace ropewalk::command
