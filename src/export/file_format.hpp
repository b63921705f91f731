#pragma once
// The file formats of tables, one type each. An overload in table_files.cpp writes a format; an overload in
// table_job.cpp describes how it stores a dtype that it lacks.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "ropewalk/config/closed_set.hpp"

namespace ropewalk::tables {

/// How numbers are spelled: shortest decimals that read back (JSON, CSV), or literals of a language. An
/// infinity (an entry that overflowed, or the divisor of a zero frequency) is null in JSON and inf in CSV; a
/// NaN, which only stored weights hold, is null in JSON and nan in CSV.
enum class number_style { json, csv, c, glsl, python, rust };

/// Default properties of a format.
struct any_file {
  static constexpr std::string_view note = "";    // shown after the name in --help
  static constexpr bool is_named = false;         // the array has a name in the file
  static constexpr bool is_source = false;        // source code: the array's name is an identifier
  static constexpr bool has_digits = false;       // --digits: holds decimals of any length
  static constexpr bool is_binary = false;        // elements as bytes, not as text
  static constexpr bool holds_several = false;    // several arrays in one file
  static constexpr bool has_narrow_bits = false;  // source code that holds 16-bit formats by their bits
};

struct npy_file : any_file {
  static constexpr std::string_view name = "npy";
  static constexpr std::string_view note = "with a sidecar FILE.json";
  static constexpr bool is_binary = true;
  static constexpr std::array suffixes{std::string_view(".npy")};
};

struct npz_file : any_file {
  static constexpr std::string_view name = "npz";
  static constexpr std::array suffixes{std::string_view(".npz")};
  static constexpr bool is_named = true;
  static constexpr bool is_binary = true;
  static constexpr bool holds_several = true;
};

struct safetensors_file : any_file {
  static constexpr std::string_view name = "safetensors";
  static constexpr std::array suffixes{std::string_view(".safetensors")};
  static constexpr bool is_named = true;
  static constexpr bool is_binary = true;
  static constexpr bool holds_several = true;
};

struct gguf_file : any_file {
  static constexpr std::string_view name = "gguf";
  static constexpr std::array suffixes{std::string_view(".gguf")};
  static constexpr bool is_named = true;
  static constexpr bool is_binary = true;
  static constexpr bool holds_several = true;
};

struct json_file : any_file {
  static constexpr std::string_view name = "json";
  static constexpr std::array suffixes{std::string_view(".json")};
  static constexpr bool has_digits = true;
  static constexpr number_style style = number_style::json;
};

struct csv_file : any_file {
  static constexpr std::string_view name = "csv";
  static constexpr std::array suffixes{std::string_view(".csv")};
  static constexpr bool has_digits = true;
  static constexpr number_style style = number_style::csv;
};

struct c_file : any_file {
  static constexpr std::string_view name = "c";
  static constexpr std::string_view note = "a header for C11 and C++17";
  static constexpr std::array suffixes{std::string_view(".h"), std::string_view(".hh"),
                                       std::string_view(".hpp")};
  static constexpr bool is_named = true;
  static constexpr bool is_source = true;
  static constexpr bool holds_several = true;
  static constexpr bool has_narrow_bits = true;
  static constexpr number_style style = number_style::c;
};

struct glsl_file : any_file {
  static constexpr std::string_view name = "glsl";
  static constexpr std::string_view note = "an include";
  static constexpr std::array suffixes{std::string_view(".glsl")};
  static constexpr bool is_named = true;
  static constexpr bool is_source = true;
  static constexpr bool holds_several = true;
  static constexpr number_style style = number_style::glsl;
};

struct python_file : any_file {
  static constexpr std::string_view name = "python";
  static constexpr std::string_view note = "a module with lists";
  static constexpr std::array suffixes{std::string_view(".py")};
  static constexpr bool is_named = true;
  static constexpr bool is_source = true;
  static constexpr bool holds_several = true;
  static constexpr number_style style = number_style::python;
};

struct rust_file : any_file {
  static constexpr std::string_view name = "rust";
  static constexpr std::string_view note = "a module with static arrays";
  static constexpr std::array suffixes{std::string_view(".rs")};
  static constexpr bool is_named = true;
  static constexpr bool is_source = true;
  static constexpr bool holds_several = true;
  static constexpr bool has_narrow_bits = true;
  static constexpr number_style style = number_style::rust;
};

/// Every format once; the first is the default.
using file_formats = type_list<npy_file, npz_file, safetensors_file, gguf_file, json_file, csv_file, c_file,
                               glsl_file, python_file, rust_file>;
using file_format = one_of<file_formats>;

constexpr std::string_view name_of(const file_format& format) {
  return format.visit([](const auto& file) { return file.name; });
}

constexpr bool is_source(const file_format& format) {
  return format.visit([](const auto& file) { return file.is_source; });
}

constexpr bool is_named(const file_format& format) {
  return format.visit([](const auto& file) { return file.is_named; });
}

constexpr bool is_binary(const file_format& format) {
  return format.visit([](const auto& file) { return file.is_binary; });
}

constexpr bool holds_several(const file_format& format) {
  return format.visit([](const auto& file) { return file.holds_several; });
}

constexpr bool has_digits(const file_format& format) {
  return format.visit([](const auto& file) { return file.has_digits; });
}

/// The format of this name; nullopt if there is none.
constexpr std::optional<file_format> format_named(std::string_view name) {
  std::optional<file_format> format;
  for_each_type(file_formats{}, [&]<class File>() {
    if (name == File::name) format = file_format(File{});
  });
  return format;
}

/// The format of files with a suffix: npy for an empty suffix, nullopt for an unknown one.
constexpr std::optional<file_format> format_of_suffix(std::string_view suffix) {
  if (suffix.empty()) return file_format();
  std::optional<file_format> format;
  for_each_type(file_formats{}, [&]<class File>() {
    for (const std::string_view name : File::suffixes)
      if (suffix == name) format = file_format(File{});
  });
  return format;
}

/// "npz, safetensors, ...": the names of the formats for which holds.operator()<File>() is true.
template <class Holds>
std::string format_names(Holds holds) {
  std::string names;
  for_each_type(file_formats{}, [&]<class File>() {
    if (holds.template operator()<File>()) names += (names.empty() ? "" : ", ") + std::string(File::name);
  });
  return names;
}

inline std::string format_names() {
  return format_names([]<class>() { return true; });
}

}  // namespace ropewalk::tables
