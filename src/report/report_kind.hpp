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

/// JSON as verify-report.schema.json describes it; report_schema is its $id. The number in it grows when a
/// field goes or changes its meaning.
inline constexpr std::string_view report_schema = "urn:ropewalk:verify-report:1";
std::string as_json(const verify::results& results);

/// JUnit XML: a test suite for each kernel and model, a test case for each dtype and law.
std::string as_junit(const verify::results& results);

/// SARIF 2.1.0 as GitHub's code scanning reads it: a rule for each law, a result for each failure.
std::string as_sarif(const verify::results& results);

/// Markdown: also the step summary of GitHub Actions.
std::string as_markdown(const verify::results& results);

/// A kind by its name in --report KIND=FILE, and what writes it.
struct report_kind {
  std::string_view name;
  std::string (*text)(const verify::results&);
};

inline constexpr report_kind report_kinds[] = {
    {"json", as_json}, {"junit", as_junit}, {"sarif", as_sarif}, {"markdown", as_markdown}};

/// Their names alone, which a program may read without linking what writes reports.
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

/// "json=", ...: how the value of --report begins.
inline std::vector<std::string> report_beginnings() {
  std::vector<std::string> beginnings;
  for (const std::string_view name : report_names) beginnings.push_back(std::string(name) + "=");
  return beginnings;
}

/// "json=FILE", ..., joined by commas, for help and refusals.
inline std::string report_forms() {
  std::string forms;
  for (const std::string& beginning : report_beginnings())
    forms += (forms.empty() ? "" : ", ") + beginning + "FILE";
  return forms;
}

}  // namespace ropewalk::report
