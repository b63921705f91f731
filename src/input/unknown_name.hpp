#pragma once
// Refusal of a name that is not in a known set, with the name nearest to it.

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::input {

/// The name at the smallest edit distance (insertions, deletions, replacements, swaps of neighbours) from
/// `typed`; nothing where more than a third of the letters would change, unless the name begins with `typed`.
/// Case and all but letters and digits are ignored.
std::optional<std::string> nearest_name(std::string_view typed, const std::vector<std::string>& names);

/// The member `name` of each row.
template <class Rows>
std::vector<std::string> names_in(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// Refused name, on one line: "no KIND named 'NAME'; did you mean 'A'? KINDs: A, B, C", or if that exceeds
/// longest_refusal "no KIND named 'NAME'; did you mean 'A'? (LISTED lists all 81)". The question is left out
/// where no name is near. Exit code 2.
///
/// kind    a noun in the singular: "model"
/// names   every known name
/// listed  the command that lists them, in backticks
struct unknown_name : std::invalid_argument {
  unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
               std::string_view listed);
};

}  // namespace ropewalk::input
