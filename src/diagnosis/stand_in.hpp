#pragma once
// A stand-in kernel that forwards to the kernel the thread has selected: all kernels that are compared can
// then share one held kernel, and with it the exact values of the encoding.

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::diagnosis {

/// A kernel that forwards to the one last given to take_the_place_of on the calling thread. Its plan holds
/// one plan for each of these kernels, made on first use. What a rotation's encoding points to is copied;
/// what an addition's encoding points to must outlive the plans.
ropewalk_kernel stand_in(ropewalk_operation operation);

/// Selects the kernel that the stand-in forwards to on this thread, until the next call.
///
/// domain  a kernel of the stand-in's operation, which outlives the plans
void take_the_place_of(const ropewalk_kernel& kernel);

}  // namespace ropewalk::diagnosis
