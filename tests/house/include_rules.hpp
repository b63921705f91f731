#pragma once
// Which folder may include which: reads every #include of a tree and names the ones that point the wrong way.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace house {

namespace fs = std::filesystem;

/// One #include: the file it stands in, relative to the root, and what it names.
struct include_line {
  std::string file;
  std::string target;
  bool in_quotes = false;
};

inline std::optional<include_line> parse_include(std::string file, std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return std::nullopt;
  line.remove_prefix(7);
  skip_blanks();
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return std::nullopt;
  const bool in_quotes = line[0] == '"';
  const auto end = line.find(in_quotes ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return include_line{std::move(file), std::string(line.substr(1, end - 1)), in_quotes};
}

inline bool is_source(const fs::path& file) {
  static const std::set<std::string> extensions = {".hpp", ".h", ".cpp", ".c", ".comp", ".glsl"};
  return extensions.contains(file.extension().string());
}

inline std::vector<include_line> read_includes(const fs::path& root) {
  std::vector<include_line> found;
  for (const char* folder : {"include", "src", "gpu", "bench"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);)
        if (auto parsed = parse_include(fs::relative(entry.path(), root).generic_string(), line))
          found.push_back(*parsed);
    }
  }
  return found;
}

/// The layers of the public headers, each to the right of all it may include.
inline constexpr std::array<std::string_view, 7> header_order = {"config", "numeric", "function", "encoding",
                                                                 "table",  "kernel",  "law"};

/// Folders of src that stand between the kernels and the commands; among themselves they may include each other.
inline constexpr std::array<std::string_view, 7> tool_folders = {"model",  "reader", "writer", "claim",
                                                                 "report", "search", "fault"};

inline int header_rank(std::string_view layer) {
  const auto place = std::find(header_order.begin(), header_order.end(), layer);
  return place == header_order.end() ? -1 : static_cast<int>(place - header_order.begin());
}

/// The place of a file or of an include: "ropewalk/table", "kernel", "kernel/recipe", "catalogue.hpp", "gpu", ...
inline std::string place_of(std::string_view path) {
  if (path.starts_with("kernel/recipe/")) return "kernel/recipe";
  const bool is_header = path.starts_with("ropewalk/");
  const auto cut = path.find('/', is_header ? sizeof "ropewalk/" - 1 : 0);
  return std::string(cut == std::string_view::npos ? path : path.substr(0, cut));
}

/// The same for a file of the tree: "include/" and "src/" are left out, as the compiler does.
inline std::string place_of_file(std::string_view file) {
  for (const std::string_view root : {"include/", "src/"})
    if (file.starts_with(root)) return place_of(file.substr(root.size()));
  return place_of(file);
}

inline bool is_tool_folder(std::string_view place) {
  return std::find(tool_folders.begin(), tool_folders.end(), place) != tool_folders.end();
}

/// Whether a file at `from` may include what stands at `to`, both named by place_of.
inline bool may_include(std::string_view from, std::string_view to) {
  constexpr std::string_view prefix = "ropewalk/";
  const bool to_header = to.starts_with(prefix);
  const std::string_view to_layer = to_header ? to.substr(prefix.size()) : to;
  const bool to_definition = to_header && header_rank(to_layer) >= 0;

  if (from == "ropewalk/version.hpp") return false;
  if (from == "ropewalk/ropewalk.hpp") return to_header;
  if (from == "ropewalk/reference") return to == from || to == "ropewalk/config";
  if (from.starts_with(prefix))
    return to_definition && header_rank(to_layer) <= header_rank(from.substr(prefix.size()));
  if (from == "kernel") return to_definition || to == "kernel";
  if (from == "kernel/recipe") return to_definition || to == "kernel" || to == "kernel/recipe";
  if (from == "gpu") return to_definition || to == "gpu";

  // What is left is the rest of src, and bench.
  if (to_header) return to != "ropewalk/ropewalk.hpp" && (from != "bench" || to != "ropewalk/reference");
  if (to == "kernel" || to == "gpu" || is_tool_folder(to)) return true;
  if (to == "kernel/recipe") return from == "command" || from == "bench";  // where recipes are compared
  if (to == "catalogue.hpp") return from == "command" || from == "main.cpp";
  if (to == "command") return from == "command" || from == "main.cpp";
  return to == from;
}

/// Libraries that one place alone may know, by how their headers' names begin.
inline bool may_include_library(std::string_view from, std::string_view header) {
  const bool public_header = from.starts_with("ropewalk/");
  const auto begins = [&](std::string_view prefix) { return header.starts_with(prefix); };
  if (begins("boost/")) return from == "ropewalk/reference";
  if (begins("vulkan/")) return from == "gpu";
  if (begins("rapidcheck")) return from == "search";
  const bool standard =
      header.find('/') == std::string_view::npos && header.find('.') == std::string_view::npos;
  const bool of_kernels = header == "stddef.h" || header == "stdint.h" ||  // kernel.h is C
                          header == "xmmintrin.h";  // floating_environment.hpp sets MXCSR
  return !public_header || standard || (of_kernels && from == "ropewalk/kernel");
}

/// Every #include that points the wrong way, as "file: target".
inline std::vector<std::string> wrong_includes(const fs::path& root) {
  std::vector<std::string> wrong;
  for (const auto& line : read_includes(root)) {
    const auto from = place_of_file(line.file);
    const bool allowed =
        line.in_quotes ? may_include(from, place_of(line.target)) : may_include_library(from, line.target);
    if (!allowed) wrong.push_back(line.file + ": " + line.target);
  }
  return wrong;
}

}  // namespace house
