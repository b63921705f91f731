#pragma once
// Runs the table laws on this library's own tables and programs: encodings that no kernel applies.

#include <functional>
#include <string>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::verify {

/// One law of one table.
struct judged_table {
  std::string encoding;
  ropewalk_dtype dtype = ROPEWALK_F64;
  law_text law{};
  std::function<measurement()> measure;
};

std::vector<judged_table> own_tables();

}  // namespace ropewalk::verify
