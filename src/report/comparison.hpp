#pragma once
// Prints the comparison of arrays with their table, as text or as JSON.

#include <string>
#include <vector>

#include "array/comparison.hpp"
#include "export/table.hpp"

namespace ropewalk::report {

/// An array's name on the command line, and its comparison.
struct compared_array {
  std::string place;  // FILE or FILE#NAME
  array::comparison compared;
};

/// The comparison of one array as lines of text, or as a record; `content` is the expected table.
std::string comparison_text(const array::comparison& comparison, const tables::table& content);
input::json comparison_record(const array::comparison& comparison, const tables::table& content);

/// Prints for each array: the number of entries, the share correctly rounded, the largest errors in ulps and
/// absolute with their places, the first entry past each of ulp_marks, known recipes with the same bits, the
/// strictest promise that the array keeps, and where it breaks the stricter ones. JSON is an object for one
/// array, a list for several.
void print(const std::vector<compared_array>& all, const tables::table& content, bool as_json);

}  // namespace ropewalk::report
