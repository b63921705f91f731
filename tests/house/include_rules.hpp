#pragma once
// Which folder may include which: reads every #include of a tree and names the ones that point the wrong way.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace house {

namespace fs = std::filesystem;

/// One #include: the including file, relative to the root, and the included name.
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
  std::vector<include_line> lines;
  for (const char* folder : {"include", "src", "gpu", "bench"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string name = entry.path().lexically_relative(root).generic_string();
      if (name.starts_with("src/vectors/pack/")) continue;  // what users include, in folders of theirs
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);)
        if (auto parsed = parse_include(name, line)) lines.push_back(*parsed);
    }
  }
  return lines;
}

/// Folders in an order in which each may include those to its left and none to its right.
using folder_order = std::vector<std::string_view>;

/// The layers of the public headers.
inline const folder_order header_order{"config", "numeric", "function", "encoding",
                                       "table",  "kernel",  "measure",  "law"};

/// The folders of the tool, from input, which reads files, to commands, which parse the request.
inline const folder_order tool_order{"input",  "grid",      "model",     "output", "export",  "array",
                                     "search", "diagnosis", "transport", "verify", "measure", "apply",
                                     "sweep",  "vectors",   "plot",      "report", "command", "main.cpp"};

/// The place of a path: "ropewalk/table", "kernel", "kernel/recipe", "catalogue.hpp", "gpu", ...
inline std::string place_of(std::string_view path) {
  if (path.starts_with("kernel/recipe/")) return "kernel/recipe";
  const bool is_header = path.starts_with("ropewalk/");
  const auto cut = path.find('/', is_header ? sizeof "ropewalk/" - 1 : 0);
  return std::string(cut == std::string_view::npos ? path : path.substr(0, cut));
}

/// The place of a file of the tree, whose path begins with "include/" or "src/" where its #include does not.
inline std::string place_of_file(std::string_view file) {
  for (const std::string_view root : {"include/", "src/"})
    if (file.starts_with(root)) return place_of(file.substr(root.size()));
  return place_of(file);
}

inline int rank_in(const folder_order& order, std::string_view place) {
  const auto match = std::find(order.begin(), order.end(), place);
  return match == order.end() ? -1 : static_cast<int>(match - order.begin());
}

/// Whether both are in the order, with `to` not to the right of `from`.
inline bool points_left(const folder_order& order, std::string_view from, std::string_view to) {
  const int target = rank_in(order, to);
  return target >= 0 && target <= rank_in(order, from);
}

/// Whether a place that is neither a public header nor in tool_order may include `to`, which is neither
/// itself nor a definition.
inline bool may_include_beside(std::string_view from, std::string_view to) {
  if (from == "kernel/recipe") return to == "kernel";
  if (from == "claim" || from == "compiled") return to == "ropewalk/reference";
  if (from == "fault") return to == "model";  // some faults lie in how an engine reads a configuration
  if (from == "bench")                        // a program of its own, to the right of everything but main.cpp
    return to == "kernel" || to == "kernel/recipe" || to == "gpu" || rank_in(tool_order, to) >= 0;
  return false;  // kernel and gpu
}

/// Whether a folder of tool_order may include `to`, which is neither to its left nor a definition.
inline bool may_tool_include(std::string_view from, std::string_view to) {
  const bool is_late = rank_in(tool_order, from) >= rank_in(tool_order, "verify");
  if (to == "kernel") return is_late || from == "export" || from == "diagnosis";
  if (to == "gpu") return is_late;
  if (to == "fault") return from == "diagnosis";  // kernels that a failing one is compared with
  if (to == "kernel/recipe") return from == "array" || from == "sweep" || from == "command";
  if (to == "claim" || to == "catalogue.hpp") return from == "report" || from == "command";
  return to == "ropewalk/reference";
}

/// Whether a file at `from` may include one at `to`, both as named by place_of.
inline bool may_include(std::string_view from, std::string_view to) {
  constexpr std::string_view prefix = "ropewalk/";
  const auto layer = [&](std::string_view place) {
    return place.substr(std::min(place.size(), prefix.size()));
  };
  const bool is_definition = to.starts_with(prefix) && rank_in(header_order, layer(to)) >= 0;
  if (from == "ropewalk/version.hpp") return false;
  if (from == "ropewalk/ropewalk.hpp") return to.starts_with(prefix) && to != "ropewalk/laws.hpp";
  if (from == "ropewalk/laws.hpp") return to == "ropewalk/law";
  if (from == "ropewalk/kernel.h") return to == "ropewalk/kernel";
  if (from == "ropewalk/reference") return to == from || to == "ropewalk/config";
  if (from.starts_with(prefix)) return is_definition && points_left(header_order, layer(from), layer(to));
  if (to == from || is_definition || to == "ropewalk/version.hpp") return true;
  if (rank_in(tool_order, from) < 0) return may_include_beside(from, to);
  return points_left(tool_order, from, to) || may_tool_include(from, to);
}

/// Whether a place may include a library's header. Some libraries are reserved to one place, by the prefix of
/// their headers.
inline bool may_include_library(std::string_view from, std::string_view header) {
  const bool public_header = from.starts_with("ropewalk/");
  const auto begins = [&](std::string_view prefix) { return header.starts_with(prefix); };
  if (begins("boost/math/distributions/")) return from == "bench";  // the statistics of comparisons
  if (begins("boost/")) return from == "ropewalk/reference";
  if (begins("vulkan/") || begins("volk.h") || begins("spirv/")) return from == "gpu";
  if (begins("rapidcheck")) return from == "search";
  const bool standard =
      header.find('/') == std::string_view::npos && header.find('.') == std::string_view::npos;
  const bool of_kernels = header == "stddef.h" || header == "stdint.h" ||  // kernel.h is C
                          header == "xmmintrin.h";  // floating_environment.hpp sets MXCSR
  // thread_pool.hpp places workers, keeps signals from them, and learns of fork()
  const bool of_threads = header == "pthread.h" || header == "sched.h" || header == "signal.h";
  const bool of_laws = header == "sys/mman.h";  // mapped_memory.hpp reserves address space
  return !public_header || standard || ((of_kernels || of_threads) && from == "ropewalk/kernel") ||
         (of_laws && from == "ropewalk/law");
}

/// Whether an include is reserved to another file, because the library takes seconds to compile.
inline bool is_only_for_transport(const include_line& line) {
  return line.target.starts_with("CLI/") && line.file != "src/command/parser.cpp";
}

/// Every #include that points the wrong way, as "file: target".
inline std::vector<std::string> wrong_includes(const fs::path& root) {
  std::vector<std::string> wrong;
  for (const auto& line : read_includes(root)) {
    const auto from = place_of_file(line.file);
    const bool allowed = line.in_quotes
                             ? may_include(from, place_of(line.target))
                             : may_include_library(from, line.target) && !is_only_for_transport(line);
    if (!allowed) wrong.push_back(line.file + ": " + line.target);
  }
  return wrong;
}

/// The node of a file in the include graph: its folder, or the file itself if the folder also holds folders.
inline std::string node_of(const fs::path& root, const fs::path& file) {
  const fs::path folder = root / file.parent_path();
  const bool has_folders = std::any_of(fs::directory_iterator(folder), fs::directory_iterator(),
                                       [](const auto& entry) { return entry.is_directory(); });
  return (has_folders ? file : file.parent_path()).generic_string();
}

/// A cycle of includes between folders, as "a -> b -> a"; empty if there is none.
inline std::string include_cycle(const fs::path& root) {
  std::map<std::string, std::set<std::string>> arrows;
  for (const auto& line : read_includes(root)) {
    if (!line.in_quotes) continue;
    for (const char* folder : {"include", "src", ""}) {
      const fs::path target = fs::path(folder) / line.target;
      if (!fs::exists(root / target)) continue;
      const std::string from = node_of(root, line.file), to = node_of(root, target);
      if (from != to) arrows[from].insert(to);
    }
  }
  std::set<std::string> finished;
  std::vector<std::string> way;
  std::string name;
  const std::function<void(const std::string&)> walk = [&](const std::string& node) {
    const auto seen = std::find(way.begin(), way.end(), node);
    if (seen != way.end() && name.empty()) {
      for (auto first = seen; first != way.end(); ++first) name += *first + " -> ";
      name += node;
    }
    if (seen != way.end() || finished.contains(node)) return;
    way.push_back(node);
    for (const std::string& next : arrows[node]) walk(next);
    way.pop_back();
    finished.insert(node);
  };
  for (const auto& line : read_includes(root)) walk(node_of(root, line.file));
  return name;
}

}  // namespace house
