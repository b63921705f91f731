#pragma once
// Arrays of files, held to the laws of their kind of table, entry by entry.

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

/// An array of a file, and the table that it should be.
struct given_array {
  input::array_location place;
  std::shared_ptr<const tables::table> content;  // the correctly rounded table
  tables::table_dtype dtype = tables::table_dtype::f32;
  std::string subject;  // the encoding, as results name it
  std::string options;  // that name the array and its table on a command line
  promise promised = promise::canonical;
};

/// The array's file and name, as results name it.
std::string label_of(const given_array& array);

/// Names of the laws that an array is held to by a promise, in the order in which they are judged.
std::vector<std::string_view> laws_of(const given_array& array);

/// How arrays are judged.
struct array_plan {
  int threads = 1;
  bool is_quiet = false;
  std::function<bool(std::string_view law)> asks_for;
  search::clock::time_point end{};  // none when it is the clock's epoch
};

struct judged_arrays {
  std::vector<result> lines;
  std::vector<array_finding> findings;
  std::vector<diagnosed> causes;  // of arrays that are not as good as any promise of their table
};

/// Judges every entry of each array: its error, and the laws of its kind; of an array of another shape than
/// its table's, the shape alone.
///
/// throws  bad_input naming the file, where it is not what its header says
judged_arrays judge(const std::vector<given_array>& arrays, const array_plan& plan,
                    const std::atomic<bool>& stopped);

}  // namespace ropewalk::verify
