#pragma once
// Compares two kernels that should give the same bits: in how many calls they differ, by how much, and what
// these calls have in common.

#include <atomic>
#include <vector>

#include "diagnosis/cause.hpp"
#include "diagnosis/diagnosis.hpp"

namespace ropewalk::diagnosis {

/// Runs drawn cases of the law same-as on a kernel and on the kernel whose bits it should match. If no drawn
/// case fails, inspects the cases that failed before.
///
/// domain  kernel.same_as() is not NULL
/// throws  nothing because of the kernels
template <class Kernel>
cause parting(const Kernel& kernel, const std::vector<failed_case<Kernel>>& failed, const effort& how,
              const std::atomic<bool>& stopped);

}  // namespace ropewalk::diagnosis
