#pragma once
// Properties that all failing cases of a kernel share and that some passing case lacks.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/answer.hpp"

namespace ropewalk::diagnosis {

/// One case, and its wrong elements.
struct seen_case {
  const law_case* given = nullptr;
  bool fails = false;
  bool is_drawn = true;  // false: made from another case, and no evidence of how often a property is met
  std::vector<element> wrong{};  // differ from the faultless kernel; empty if the plain call is right
};

/// "3"; "3 to 7"; "among 3 to 7" if some between are missing.
///
/// domain  not empty
std::string range_text(const std::set<std::int64_t>& of);

/// The shared properties in words: "dtype f16; a position at least 32768 from 0"; empty if there are none.
///
/// domain  pairs: of a head; 0 for kernels that add
std::string shared_by_failures(const std::vector<seen_case>& seen, int pairs);

}  // namespace ropewalk::diagnosis
