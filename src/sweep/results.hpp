#pragma once
// A directory of results. sweep.json says what is checked. Files part-*.jsonl have one line a unit; each
// process appends to its own. Once every unit is done, units.jsonl has all lines in the order of units, and
// result.json their sum: the same bytes whoever did what.

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "sweep/unit_result.hpp"
#include "sweep/work_range.hpp"

namespace ropewalk::sweep {

/// Two results of one unit that differ: a machine computed wrongly, or one is of another sweep.
struct contradiction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes a directory of results, or joins one of the same range of work and version; several processes may do
/// so at once.
///
/// throws  bad_input naming output and what is there instead
void open_directory(const std::string& directory, const work_range& range);

/// The range of work whose results a directory has.
///
/// throws  bad_input naming `field` and the directory
work_range work_range_of(const std::string& field, const std::string& directory);

/// What the lines of some directories say together.
class results {
 public:
  /// Reads all lines; damaged ones are counted, and their units left to do. A unit counts once.
  ///
  /// throws  bad_input naming the file of a unit that is not the range of work's; contradiction
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
  /// The sum of a table's units, by the range of work's dtypes.
  const tally& of_table(std::size_t table) const { return tables_[table]; }
  /// One unit's line, read again.
  unit_result read(std::int64_t unit) const;

  /// The sum as JSON; `units`, `done`, and a digest of the checksums of all units in their order.
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

/// One process's file of results. Threads may append at once.
class result_file {
 public:
  /// part-NAME.jsonl; a torn last line is closed first.
  ///
  /// throws  bad_input naming output
  result_file(const std::string& directory, const std::string& name);
  ~result_file();
  result_file(const result_file&) = delete;
  result_file& operator=(const result_file&) = delete;

  /// Appends a line by one write, which has reached the disk on return.
  ///
  /// throws  bad_input naming output
  void append(std::string line);

 private:
  std::string path_;
  std::mutex appending_;
  int descriptor_ = -1;
};

}  // namespace ropewalk::sweep
