#pragma once
// Explains why a kernel fails on one model: by one fault that explains every case, or by what the failing
// cases have in common.
//
// A possible cause is a kernel with a known fault. It explains a case if it gives the same answers as the
// failing kernel, and passes or fails the law as that kernel does. It is the diagnosis if no case contradicts
// it and enough failing cases agree with it. Passing cases are compared, too. Cases come from the search or
// are newly drawn.

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

/// How long a diagnosis may search, and among which faults.
struct effort {
  std::uint64_t seed = 1;
  std::vector<ropewalk_dtype> dtypes{};    // for fresh cases
  search::clock::time_point deadline{};    // the clock's epoch: no deadline
  std::set<std::string> skipped_faults{};  // by their sentences
};

/// Diagnoses a kernel that fails on one model. The same seed gives the same diagnosis, unless stopped or past
/// the deadline.
///
/// domain  failed: at least one case, all judged by `promised`; causes: of the encoding and calls of `failed`
/// throws  nothing that the kernel causes
template <class Kernel>
cause diagnose(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
               const std::vector<failed_case<Kernel>>& failed, const effort& how,
               const std::atomic<bool>& stopped);

}  // namespace ropewalk::diagnosis
