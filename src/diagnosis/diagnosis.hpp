#pragma once
// Why a kernel fails on one model: one cause that explains every case, or what its failures have in common.
//
// A cause is a kernel that has it. It explains a case where it gives what the failing kernel gives, and breaks or keeps the
// case's law as that does; it is the cause where it explains all cases, failing and passing, those that the search found and
// fresh ones.

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
  const law<Kernel>* of = nullptr;
  law_case given;
  bool is_reproducible = true;
};

struct effort {
  std::uint64_t seed = 1;
  std::vector<ropewalk_dtype> dtypes{};  // of fresh cases
  search::clock::time_point deadline{};  // none when it is the clock's epoch
  std::set<std::string> left_out{};      // sentences of faults that are not tried
};

/// The same for the same seed, unless it is stopped or comes to the deadline.
///
/// domain  failed: one case at least, of the kernel judged by that promise; causes: in its place
/// throws  nothing of the kernel's doing
template <class Kernel>
cause diagnose(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
               const std::vector<failed_case<Kernel>>& failed, const effort& how,
               const std::atomic<bool>& stopped);

}  // namespace ropewalk::diagnosis
