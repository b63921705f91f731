#pragma once
// What the failing cases of a kernel have in common and not all passing ones have.

#include <string>
#include <vector>

#include "diagnosis/answer.hpp"

namespace ropewalk::diagnosis {

/// One case, and what of it is wrong.
struct seen_case {
  const law_case* given = nullptr;
  bool fails = false;
  std::vector<element> wrong{};  // against a kernel without fault; none where the plain call is right
};

/// "dtype f16; positions from 32768 on", or "nothing that was looked for".
///
/// domain  pairs: of a head; 0 for kernels that add
std::string shared_by_failures(const std::vector<seen_case>& seen, int pairs);

}  // namespace ropewalk::diagnosis
