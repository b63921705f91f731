#pragma once
// Kernels whose answers depend on earlier calls of the same plan.

#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "diagnosis/known_causes.hpp"

namespace ropewalk::diagnosis {

/// Whether a failing call is right as the first call of a plan and wrong after another, too often to be
/// chance.
template <class Kernel>
bool keeps_state(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
                 const std::vector<failed_case<Kernel>>& failed);

}  // namespace ropewalk::diagnosis
