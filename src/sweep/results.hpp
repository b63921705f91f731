#pragma once
// A directory of results. sweep.json describes the range of work. Files part-*.jsonl have one line per unit;
// each process appends to its own file. Once every unit is done, units.jsonl has all lines in the order of
// units, and result.json has their sum. Both have the same bytes however the work was distributed.

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "sweep/unit_result.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// Two different results of one unit: a machine computed wrongly, or one result belongs to another sweep.
struct contradiction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes a directory of results, or joins one with the same range of work and version. Several processes may
/// do so concurrently.
///
/// throws  bad_input naming output and the existing contents
void open_directory(const std::string& directory, const work_range& range);

/// The range of work of a directory of results.
///
/// throws  bad_input naming `field` and the directory
work_range work_range_of(const std::string& field, const std::string& directory);

/// The combined results of some directories.
class results {
 public:
  /// Reads all lines. Damaged lines are counted, and their units left to do. A repeated unit counts once.
  ///
  /// throws  bad_input naming the file of a unit outside the range of work; contradiction
  results(const std::vector<std::string>& directories, const work_range& range);

  bool is_done(std::int64_t unit) const { return !lines_[static_cast<std::size_t>(unit)].checksum.empty(); }
  std::int64_t units() const { return static_cast<std::int64_t>(lines_.size()); }
  std::int64_t done() const { return done_; }
  std::int64_t damaged() const { return damaged_; }
  std::int64_t repeated() const { return repeated_; }
  /// The checksum of a unit's line.
  ///
  /// domain  a unit that is done
  const std::string& checksum(std::int64_t unit) const {
    return lines_[static_cast<std::size_t>(unit)].checksum;
  }
  /// The sum of a table's units, in the order of the range's dtypes.
  const tally& of_table(std::size_t table) const { return tables_[table]; }
  /// One unit's line, read again from its file.
  unit_result read(std::int64_t unit) const;

  /// The sum as JSON: `units`, `done`, and a digest of the checksums of all units in order.
  nlohmann::json sum() const;
  /// Writes units.jsonl and, if every unit is done, result.json.
  void write(const std::string& directory) const;

 private:
  struct line {
    std::size_t file = 0;
    std::int64_t at = 0;
    std::string checksum;  // empty: not done
  };
  void read_file(const std::string& path);
  void add(std::int64_t unit, line line, const tally& tally);
  std::string text_of(std::int64_t unit) const;

  const work_range* range_;
  units_of_range all_;
  std::vector<std::string> files_;
  std::vector<line> lines_;  // by unit
  std::vector<tally> tables_;
  std::int64_t done_ = 0;
  std::int64_t damaged_ = 0;
  std::int64_t repeated_ = 0;
};

/// The file of results of one process. Threads may append concurrently.
class result_file {
 public:
  /// Opens part-NAME.jsonl, and ends a torn last line first.
  ///
  /// throws  bad_input naming output
  result_file(const std::string& directory, const std::string& name);
  ~result_file();
  result_file(const result_file&) = delete;
  result_file& operator=(const result_file&) = delete;

  /// Appends a line with one write, which is on the disk on return.
  ///
  /// throws  bad_input naming output
  void append(std::string line);

 private:
  std::string path_;
  std::mutex appending_;
  int descriptor_ = -1;
};

}  // namespace ropewalk::sweep
