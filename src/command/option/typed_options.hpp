#pragma once
// Options as typed, by name. A struct of options has a function visit_options(options, visit), which calls
// visit(name, value) for each in the order of --help. A value is a std::string, a std::vector<std::string> or
// a bool, and empty or false if the option was not given.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "command/option/option_table.hpp"

namespace ropewalk::command {

/// The value of a flag that was given.
inline constexpr const char* flag_is_given = "given";

/// An option that was given, with its first value: "positions" and "0:5". Both are empty if there is none.
struct named_option {
  std::string name;
  std::string value;

  bool is_given() const { return !name.empty(); }
};

inline std::vector<std::string> values_of(const std::string& value) {
  return value.empty() ? std::vector<std::string>() : std::vector<std::string>{value};
}
inline const std::vector<std::string>& values_of(const std::vector<std::string>& values) { return values; }
inline std::vector<std::string> values_of(bool is_given) {
  return is_given ? std::vector<std::string>{flag_is_given} : std::vector<std::string>();
}

/// The first option that was given, but for those that `left_out` names.
template <class Options>
named_option first_given(const Options& options, std::initializer_list<std::string_view> left_out = {}) {
  named_option first;
  visit_options(options, [&](std::string_view name, const auto& value) {
    if (first.is_given() || std::find(left_out.begin(), left_out.end(), name) != left_out.end()) return;
    if (const auto values = values_of(value); !values.empty())
      first = {std::string(field_name(name)), values.front()};
  });
  return first;
}

/// The first value of an option; empty if it was not given.
template <class Options>
std::string first_value(const Options& options, std::string_view option) {
  std::string text;
  visit_options(options, [&](std::string_view name, const auto& value) {
    if (const auto values = values_of(value); name == option && !values.empty()) text = values.front();
  });
  return text;
}

/// The options as words of a command line: "--model", "llama-3.1-8b".
template <class Options>
std::vector<std::string> words_of(const Options& options) {
  std::vector<std::string> words;
  visit_options(options, [&](std::string_view name, const auto& value) {
    for (const std::string& text : values_of(value)) {
      words.emplace_back(name);
      if (!option_named(name).is_flag()) words.push_back(text);
    }
  });
  return words;
}

}  // namespace ropewalk::command
