#pragma once
// The values read from a configuration, their origins, and warnings to the user.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ropewalk::model {

/// One quantity with its value, and the key or formula that it came from.
struct fact {
  std::string name;
  std::string value;
  std::string origin;
};

inline std::string text_of(const fact& fact) { return fact.name + " " + fact.value + ": " + fact.origin; }

/// Facts in the order in which they were found, and warnings of one line each.
struct provenance {
  std::vector<fact> facts;
  std::vector<std::string> warnings;

  void add(std::string name, std::string value, std::string origin) {
    facts.push_back({std::move(name), std::move(value), std::move(origin)});
  }
  void warn(std::string line) { warnings.push_back(std::move(line)); }
};

}  // namespace ropewalk::model
