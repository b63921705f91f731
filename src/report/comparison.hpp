#pragma once
// Prints the comparison of arrays with their table, as text or as JSON.

#include <string>
#include <vector>

#include "array/comparison.hpp"
#include "export/table.hpp"

namespace ropewalk::report {

/// An array as it was named, and what was found.
struct compared_array {
  std::string place;  // FILE or FILE#NAME
  array::comparison compared;
};

/// What was found of one array, in lines of text or as a record; `content` is the table that it should be.
std::string comparison_text(const array::comparison& comparison, const tables::table& content);
input::json comparison_record(const array::comparison& comparison, const tables::table& content);

/// Prints of each array the number of entries, the share correctly rounded, the largest errors in ulp and
/// absolute with their places, the first entry past each of ulp_marks, the known recipes that give the same
/// bits, the strictest promise that the array keeps, and where the stricter ones end. JSON of one array is an
/// object, of several a list.
void print(const std::vector<compared_array>& all, const tables::table& content, bool as_json);

}  // namespace ropewalk::report
