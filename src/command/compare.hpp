#pragma once
// An array of somebody's against the correctly rounded table: how far it is, and from which position on.

#include <string>

#include "command/command.hpp"
#include "command/table_content.hpp"
#include "input/npy.hpp"

namespace ropewalk::command {

/// What the comparison needs to know beside the table itself.
struct comparison {
  table_dtype dtype;
  int threads = 1;
  bool as_json = false;
  bool quiet = false;
};

/// The format that an array file holds, judged by its header: uint16 is bfloat16, complex128 two binary64.
///
/// throws  bad_input when no table has such elements in that format, or `dtype_name` (from --dtype) names another
table_dtype dtype_of_file(const input::npy_file& file, table_elements elements,
                          const std::string& dtype_name);

/// Prints entries, share correctly rounded, largest error in ulp and absolute with its place, and the
/// first position past 1, 2 and 1000 ulp, and which known recipes give these very bits. The two parts of a
/// complex number are two entries.
///
/// throws  bad_input when the array's shape is not the table's
exit_code compare(const comparison& wanted, const table_content& content, input::npy_file& file);

}  // namespace ropewalk::command
