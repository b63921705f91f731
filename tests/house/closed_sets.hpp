#pragma once
// Where the members of a closed set are told apart or listed: in the set's home alone. Reads sources as lines of text.

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "house/include_rules.hpp"

namespace house {

/// A set, as it stands in sources.
struct closed_set {
  std::string what;                // plural, as a count of it is written
  std::string enumerator;          // a regular expression for one member in code; empty for a set of types
  std::vector<std::string> names;  // as users type them
  std::vector<std::string> homes;  // files that may list its members
};

namespace detail {

inline std::string any_of(const std::vector<std::string>& words) {
  std::string r;
  for (const std::string& word : words)
    r += (r.empty() ? "" : "|") + std::regex_replace(word, std::regex("[-+.]"), "\\$&");
  return "(" + r + ")";
}

/// A number from 3 up, as a digit or a word: counts of one or two are language.
inline const std::string count =
    "\\b([3-9]|[1-9][0-9]+|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen) ";

}  // namespace detail

/// What a line says of a set that only its home may say; empty where nothing.
inline std::string listing_in(const closed_set& set, const std::string& line) {
  const auto found = [&](const std::string& pattern) { return std::regex_search(line, std::regex(pattern)); };
  if (!set.enumerator.empty()) {
    const std::string member = "([a-z]+::)*" + set.enumerator;
    if (found("\\bcase " + member)) return "a case of";
    if (found(member + ",\\s*" + member + ",\\s*" + member)) return "a list of";
  }
  const std::string name = "\\b" + detail::any_of(set.names) + "\\b";
  if (found("\"[^\"]*" + name + ", " + name + "(,| or| and|\\b)[^\"]*\"")) return "a list of the names of";
  if (found(detail::count + set.what + "\\b")) return "a count of";
  return "";
}

/// Every line of a tree that tells the members of a set apart, or lists or counts them, outside its home: "file: what".
inline std::vector<std::string> listings_outside_home(const fs::path& root,
                                                      const std::vector<closed_set>& sets) {
  std::vector<std::string> found;
  for (const char* folder : {"include", "src", "gpu", "bench"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);)
        for (const closed_set& set : sets) {
          if (std::find(set.homes.begin(), set.homes.end(), file) != set.homes.end()) continue;
          if (const std::string what = listing_in(set, line); !what.empty())
            found.push_back(file + ": " + what + " " + set.what);
        }
    }
  }
  return found;
}

}  // namespace house
