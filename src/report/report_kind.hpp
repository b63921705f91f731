#pragma once
// The kinds of report files of `ropewalk verify`, one row each.

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::verify {
struct results;
}  // namespace ropewalk::verify

namespace ropewalk::report {

/// JSON according to verify-report.schema.json; report_schema is its $id. Its number grows when a field is
/// removed or changes its meaning.
inline constexpr std::string_view report_schema = "urn:ropewalk:verify-report:1";
std::string as_json(const verify::results& results);

/// JUnit XML: one test suite per kernel and model, one test case per dtype and law.
std::string as_junit(const verify::results& results);

/// SARIF 2.1.0 for GitHub's code scanning: one rule per law, one result per failure.
std::string as_sarif(const verify::results& results);

/// Markdown, also used as the step summary of GitHub Actions.
std::string as_markdown(const verify::results& results);

/// A kind by its name in --report KIND=FILE, and its writer.
struct report_kind {
  std::string_view name;
  std::string (*text)(const verify::results&);
};

inline constexpr report_kind report_kinds[] = {
    {"json", as_json}, {"junit", as_junit}, {"sarif", as_sarif}, {"markdown", as_markdown}};

/// The names alone, for programs that do not link the writers.
inline constexpr auto report_names = [] {
  std::array<std::string_view, std::size(report_kinds)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = report_kinds[i].name;
  return names;
}();

/// The kind of that name; NULL if there is none.
inline const report_kind* report_kind_named(std::string_view name) {
  const auto* const kind = std::find_if(std::begin(report_kinds), std::end(report_kinds),
                                        [&](const report_kind& first) { return first.name == name; });
  return kind == std::end(report_kinds) ? nullptr : kind;
}

/// The beginnings of --report values: "json=", ...
inline std::vector<std::string> report_beginnings() {
  std::vector<std::string> beginnings;
  for (const std::string_view name : report_names) beginnings.push_back(std::string(name) + "=");
  return beginnings;
}

/// "json=FILE", ..., joined by commas, for help and error messages.
inline std::string report_forms() {
  std::string forms;
  for (const std::string& beginning : report_beginnings())
    forms += (forms.empty() ? "" : ", ") + beginning + "FILE";
  return forms;
}

}  // namespace ropewalk::report
