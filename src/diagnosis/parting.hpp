#pragma once
// Where two kernels part that should give the same bits: in how many calls, by how much, and what these calls
// have in common.

#include <atomic>
#include <vector>

#include "diagnosis/cause.hpp"
#include "diagnosis/diagnosis.hpp"

namespace ropewalk::diagnosis {

/// Asks a kernel, and the one whose bits are asked for, drawn cases of the law same-as, and looks at those
/// that failed where no drawn one does.
///
/// domain  kernel.same_as() is not NULL
/// throws  nothing that the kernels cause
template <class Kernel>
cause parting(const Kernel& kernel, const std::vector<failed_case<Kernel>>& failed, const effort& how,
              const std::atomic<bool>& stopped);

}  // namespace ropewalk::diagnosis
