#pragma once
// A job of `ropewalk table` with its options parsed, and the record that its file holds.

#include <memory>
#include <span>
#include <string>

#include "export/file_format.hpp"
#include "export/table.hpp"
#include "input/json_text.hpp"

namespace ropewalk::tables {

struct table_job {
  std::unique_ptr<table> content{};
  table_dtype dtype = table_dtype::f32;
  file_format format{};
  std::string name{};    // name of the array, in formats that name it; else empty
  std::string layers{};  // numbers of the layers that have the table, in runs; empty where nobody asked
  std::string axis{};    // number of the axis that it is of alone; empty where it is of all
  int digits = 0;        // decimal digits per entry; 0: entries of dtype
  int threads = 1;
  std::string command_line{};
  bool is_quiet = false;           // no progress on stderr
  bool reports_decisions = false;  // prints on stderr how many entries each step decided

  const table_description& about() const { return content->about(); }
};

/// Record of a table: version, command line, name, shape, dtype, units, convention, rounding, encoding and
/// positions.
input::json record_of(const table_job& job);

/// One record of several tables: the entries that are the same in all, and under `arrays` those of each
/// array, by its name. A single table's is its own.
input::json record_of(std::span<const table_job> jobs);

}  // namespace ropewalk::tables
