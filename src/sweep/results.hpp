#pragma once
// A directory of results: sweep.json says what is checked; files part-*.jsonl have one line a unit, each
// written at once by the process whose file it is; result.json has the sum once every unit is done.

#include <cstdint>
#include <string>
#include <vector>

#include "sweep/box.hpp"
#include "sweep/unit_result.hpp"

namespace ropewalk::sweep {

/// Makes the directory, or checks that it holds results of the same box.
///
/// throws  bad_input naming output if it is another box's, another version's, no directory or not writable
void open_directory(const std::string& directory, const box& of);

/// The box that a directory's results are of.
///
/// throws  bad_input naming the directory
std::string box_text_of(const std::string& directory);

/// Results in a directory, by unit: sorted, each unit once. Torn and changed lines are counted and left out.
struct read_results {
  std::vector<unit_result> units;
  std::int64_t damaged_lines = 0;
  std::int64_t repeated = 0;  // results of a unit that was there already
};

/// throws  bad_input naming the file if two results of a unit differ, or a unit is not the box's
read_results results_in(const std::vector<std::string>& directories, const box& of);

/// Appends lines to one file of a directory, each by one write that reaches the disk before the call returns.
class result_file {
 public:
  /// `name` is "shard-1-of-4" or "rank-3": the file is part-NAME.jsonl. A torn last line is closed first.
  result_file(const std::string& directory, const std::string& name);
  ~result_file();
  result_file(const result_file&) = delete;
  result_file& operator=(const result_file&) = delete;

  /// throws  bad_input naming output, if the line could not be written whole
  void append(const std::string& line);

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace ropewalk::sweep
