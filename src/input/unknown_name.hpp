#pragma once
// Refuses an unknown name, and suggests the nearest known name.

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::input {

/// The name at the smallest edit distance (insertions, deletions, replacements, swaps of neighbours) from
/// `typed`. Nothing if more than a third of the letters would change, unless the name begins with `typed`.
/// Compares letters and digits only, ignoring case.
std::optional<std::string> nearest_name(std::string_view typed, const std::vector<std::string>& names);

/// The member `name` of each row.
template <class Rows>
std::vector<std::string> names_in(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// Refusal of a name, on one line: "no KIND named 'NAME'; did you mean 'A'? KINDs: A, B, C", or if that
/// exceeds longest_refusal "no KIND named 'NAME'; did you mean 'A'? (LISTED lists all 81)". The question is
/// dropped if no name is near. Exit code 2.
///
/// kind    a singular noun: "model"
/// names   every known name
/// listed  the command that lists the names, in backticks
struct unknown_name : std::invalid_argument {
  unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
               std::string_view listed);
};

}  // namespace ropewalk::input
