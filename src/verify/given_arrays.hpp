#pragma once
// Checks arrays of files, entry by entry, against the laws of their kind of table.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "export/table.hpp"
#include "input/array_file.hpp"
#include "verify/results.hpp"

namespace ropewalk::verify {

/// An array of a file, and the table that it should equal.
struct given_array {
  input::array_location place;
  std::shared_ptr<const tables::table> content;  // the correctly rounded table
  tables::table_dtype dtype = tables::table_dtype::f32;
  std::string subject;  // the encoding, as named in results
  std::string options;  // command-line options for the array and its table
  promise promised = promise::canonical;
};

/// The array's file and name, as in results.
std::string label_of(const given_array& array);

/// Names of the laws that judge an array under its promise, in the order of judging.
std::vector<std::string_view> laws_of(const given_array& array);

/// How arrays are judged.
struct array_plan {
  int threads = 1;
  bool is_quiet = false;
  std::function<bool(std::string_view law)> asks_for;
  search::clock::time_point end{};  // the clock's epoch: no deadline
};

struct judged_arrays {
  std::vector<result> lines;
  std::vector<array_finding> findings;
  std::vector<diagnosed> causes;  // of arrays that keep no promise of their table
};

/// Judges every entry of each array: its error, and the laws of its kind. If an array's shape is not its
/// table's, judges the shape alone.
///
/// throws  bad_input naming the file, if the content contradicts the header
judged_arrays judge(const std::vector<given_array>& arrays, const array_plan& plan,
                    const std::atomic<bool>& stopped);

}  // namespace ropewalk::verify
