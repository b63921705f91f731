#pragma once
// One table to write, every option read; and what its file says of it.

#include <memory>
#include <string>

#include "export/file_format.hpp"
#include "export/table.hpp"
#include "input/json_text.hpp"

namespace ropewalk::output {

struct table_job {
  std::unique_ptr<table> content{};
  table_dtype dtype = table_dtype::f32;
  file_format format{};
  std::string name{};  // of the array, where the format has one
  int digits = 0;      // 0: entries of dtype
  int threads = 1;
  std::string command_line{};
  bool is_quiet = false;         // no progress on stderr
  bool tells_decisions = false;  // on stderr: what decided the entries

  const table_description& about() const { return content->about(); }
};

/// Command line, version, shape, units, convention, rounding, the encoding and its positions.
input::json record_of(const table_job& job);

}  // namespace ropewalk::output
