#pragma once
// The page's style sheet and script, embedded in the program by the build.

#include <span>
#include <string_view>

namespace ropewalk::report {

/// A file's name, its text, and the text's SHA-256 in hexadecimal.
struct embedded_file {
  std::string_view name;
  std::string_view text;
  std::string_view sha256;
};

/// page.css, then page.js.
std::span<const embedded_file> page_files();

}  // namespace ropewalk::report
