#pragma once
// Finds cases, lists and counts of the members of a closed set outside the set's home. Reads sources as lines
// of text.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "house/include_rules.hpp"

namespace house {

/// A closed set, as sources spell it.
struct closed_set {
  std::string what;                // plural noun, as it follows a count
  std::string enumerator;          // a regular expression for one member in code; empty for a set of types
  std::vector<std::string> names;  // as users type them; empty if only counts are searched for
  std::vector<std::string> homes;  // files that may list its members
};

namespace detail {

inline std::string any_of(const std::vector<std::string>& words) {
  std::string any;
  for (const std::string& word : words)
    any += (any.empty() ? "" : "|") + std::regex_replace(word, std::regex("[-+.]"), "\\$&");
  return "(" + any + ")";
}

/// A number from 3 up, in digits or as a word; one and two are ordinary prose.
inline const std::string count =
    "\\b([3-9]|[1-9][0-9]+|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen) ";

}  // namespace detail

/// The patterns of a set, compiled once. Regular expressions are slow, so a line is first searched for a
/// plain substring of each pattern.
class listing_patterns {
 public:
  explicit listing_patterns(const closed_set& set) : set_(&set), count_(detail::count + set.what + "\\b") {
    const std::string name = detail::any_of(set.names);
    if (!set.names.empty()) names_ = std::regex("\"[^\"]*\\b" + name + ", " + name + "\\b[^\"]*\"");
    if (set.enumerator.empty()) return;
    const std::string member = "([a-z]+::)*" + set.enumerator + "\\w*";
    case_ = std::regex("\\bcase " + member);
    list_ = std::regex(member + ",\\s*" + member + ",\\s*" + member);
  }

  /// What a line has that only the set's home may have, or an empty string.
  std::string found_in(const std::string& line) const {
    const auto has = [&](std::string_view word) { return line.find(word) != line.npos; };
    const auto matches = [&](const std::regex& pattern) { return std::regex_search(line, pattern); };
    if (!set_->enumerator.empty()) {
      if (has("case ") && matches(case_)) return "a case of";
      if (std::count(line.begin(), line.end(), ',') > 1 && (has("::") || has("ROPEWALK_")) && matches(list_))
        return "a list of";
    }
    if (!set_->names.empty() && has("\"") && has(", ") && matches(names_)) return "a list of the names of";
    if (has(set_->what) && matches(count_)) return "a count of";
    return "";
  }

  const closed_set& set() const { return *set_; }

 private:
  const closed_set* set_;
  std::regex count_;
  std::regex names_;
  std::regex case_;
  std::regex list_;
};

/// Every line of a tree that has a case, a list or a count of a set's members outside the set's home, as
/// "file: what".
inline std::vector<std::string> listings_outside_home(const fs::path& root,
                                                      const std::vector<closed_set>& sets) {
  std::vector<std::string> names;
  const std::vector<listing_patterns> patterns(sets.begin(), sets.end());
  for (const char* folder : {"include", "src", "gpu", "bench"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);)
        for (const listing_patterns& pattern : patterns) {
          const std::vector<std::string>& homes = pattern.set().homes;
          if (std::find(homes.begin(), homes.end(), file) != homes.end()) continue;
          if (const std::string what = pattern.found_in(line); !what.empty())
            names.push_back(file + ": " + what + " " + pattern.set().what);
        }
    }
  }
  return names;
}

}  // namespace house
