#pragma once
// The library's own tables and functions held to the laws that anybody's are held to: encodings that no kernel applies.

#include <functional>
#include <string>
#include <vector>

#include "ropewalk/law/law.hpp"

namespace ropewalk::command {

/// One encoding, format and law.
struct verified_table {
  std::string encoding;
  ropewalk_dtype dtype = ROPEWALK_F64;
  const law* judged_by = nullptr;  // its name and statement: `run` measures
  std::function<measurement()> run;
};

std::vector<verified_table> verified_tables();

}  // namespace ropewalk::command
