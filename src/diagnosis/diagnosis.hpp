#pragma once
// Explains why a kernel fails on one model: by one cause of every case, or by what its failures share.
//
// A possible cause is a kernel with a known fault. It explains a case if it gives the failing kernel's
// answers, and keeps or breaks the law as that kernel does. It is the diagnosis if no case contradicts it and
// enough failing cases agree with it. The cases fail or pass; they come from the search or are drawn afresh.

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/cause.hpp"
#include "diagnosis/known_causes.hpp"
#include "ropewalk/law/law.hpp"
#include "search/search.hpp"

namespace ropewalk::diagnosis {

/// A failing case that a search found.
template <class Kernel>
struct failed_case {
  const ropewalk::law<Kernel>* law = nullptr;
  law_case test_case;
  bool is_reproducible = true;
};

struct effort {
  std::uint64_t seed = 1;
  std::vector<ropewalk_dtype> dtypes{};  // for fresh cases
  search::clock::time_point deadline{};  // the clock's epoch: none
  std::set<std::string> left_out{};      // sentences of faults to skip
};

/// Diagnoses a kernel that fails on one model. The same seed gives the same diagnosis, unless stopped or past
/// the deadline.
///
/// domain  failed: at least one case, judged by the same promise; causes: with the same encoding and calls
/// throws  nothing because of the kernel
template <class Kernel>
cause diagnose(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
               const std::vector<failed_case<Kernel>>& failed, const effort& how,
               const std::atomic<bool>& stopped);

}  // namespace ropewalk::diagnosis
