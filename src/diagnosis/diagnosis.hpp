#pragma once
// Why a kernel fails on one model: one cause that explains every case, or what its failures have in common.
//
// A possible cause is a kernel with a known fault. It explains a case if it gives the failing kernel's
// answers and keeps or breaks the law as that kernel does. It is the diagnosis if no case contradicts it,
// failing or passing, found by the search or drawn afresh, and enough failing cases agree with it.

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

/// A case that a search found to fail.
template <class Kernel>
struct failed_case {
  const ropewalk::law<Kernel>* law = nullptr;
  law_case test_case;
  bool is_reproducible = true;
};

struct effort {
  std::uint64_t seed = 1;
  std::vector<ropewalk_dtype> dtypes{};  // of fresh cases
  search::clock::time_point deadline{};  // none when it is the clock's epoch
  std::set<std::string> left_out{};      // sentences of faults that are not tried
};

/// Diagnosis of a kernel that fails on one model. The same seed gives the same diagnosis, unless it is
/// stopped or reaches the deadline.
///
/// domain  failed: at least one case, judged by the same promise; causes: held to the same encoding and calls
/// throws  nothing that the kernel causes
template <class Kernel>
cause diagnose(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
               const std::vector<failed_case<Kernel>>& failed, const effort& how,
               const std::atomic<bool>& stopped);

}  // namespace ropewalk::diagnosis
