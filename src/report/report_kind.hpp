#pragma once
// The kinds of report files of `ropewalk verify`, one row each.

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace ropewalk::report {

/// A kind by its name in --report KIND=FILE, and what writes it.
struct report_kind {
  std::string_view name;
  std::string (*text)(const verify::results&);
};

inline constexpr report_kind report_kinds[] = {
    {"json", as_json}, {"junit", as_junit}, {"sarif", as_sarif}, {"markdown", as_markdown}};

/// The kind of that name; NULL if there is none.
inline const report_kind* report_kind_named(std::string_view name) {
  const auto* const found = std::find_if(std::begin(report_kinds), std::end(report_kinds),
                                         [&](const report_kind& one) { return one.name == name; });
  return found == std::end(report_kinds) ? nullptr : found;
}

/// "json=", ...: how the value of --report begins.
inline std::vector<std::string> report_beginnings() {
  std::vector<std::string> r;
  for (const report_kind& one : report_kinds) r.push_back(std::string(one.name) + "=");
  return r;
}

/// "json=FILE, junit=FILE, ...", for help and refusals.
inline std::string report_forms() {
  std::string r;
  for (const std::string& one : report_beginnings()) r += (r.empty() ? "" : ", ") + one + "FILE";
  return r;
}

}  // namespace ropewalk::report
