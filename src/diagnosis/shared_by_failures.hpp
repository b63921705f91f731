#pragma once
// Finds properties that the wrong calls of all failing cases of a kernel share, and that some passing case
// lacks.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/answer.hpp"

namespace ropewalk::diagnosis {

/// One call and its wrong elements, or the place that a law reports for a failing case.
struct seen_case {
  std::size_t number = 0;  // of the case that the call belongs to
  law_case drawn;          // without elements
  call_form form{};
  bool fails = false;
  bool is_place = false;         // a place that a law reports; its calls are unknown
  bool is_drawn = true;          // false: derived from another case, so no evidence of frequency
  std::vector<element> wrong{};  // differ from the faultless kernel's; empty if the call is right
};

/// Facts about a kernel that shared_by_failures needs.
inline int pairs_of(const checked_rotation& kernel) { return kernel.pairs(); }
inline int pairs_of(const checked_addition&) { return 0; }
inline bool has_factor(const checked_rotation& kernel) { return kernel.nearest_attention() != 1; }
inline bool has_factor(const checked_addition&) { return false; }

/// "3"; "3 to 7"; "among 3 to 7" if some between are missing.
///
/// domain  not empty
std::string range_text(const std::set<std::int64_t>& numbers);

/// The shared properties in words: "dtype f16; positions at least 32768 from 0"; empty if there are none.
///
/// domain  pairs: per head; 0 for kernels that add
///         has_factor: the attention factor is not 1, so a unit rotation gives another result
std::string shared_by_failures(const std::vector<seen_case>& seen, int pairs, bool has_factor);

}  // namespace ropewalk::diagnosis
