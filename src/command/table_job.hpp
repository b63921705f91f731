#pragma once
// One table to write, every option read; and what its file says of it.

#include <memory>
#include <string>

#include "command/command.hpp"
#include "command/table_content.hpp"
#include "command/table_format.hpp"
#include "input/json_text.hpp"

namespace ropewalk::command {

struct table_job {
  std::unique_ptr<table_content> content;
  table_dtype dtype = table_dtype::f32;
  file_format format = file_format::npy;
  std::string name;  // of the array, where the format has one
  int digits = 0;    // 0: entries of dtype
  int threads = 1;

  const table_description& about() const { return content->about(); }
};

/// Command line, version, shape, units, convention, rounding, the encoding and its positions.
input::json record_of(const table_job& job, const session& session);

}  // namespace ropewalk::command
