#pragma once
// A stand-in kernel that forwards to the kernel selected by the thread. All kernels to compare then share one
// checked kernel, and with it the exact values of the encoding.

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::diagnosis {

/// A kernel that forwards to the last kernel given to take_the_place_of on the calling thread. Its plan has
/// one plan per such kernel, made on first use. A rotation's encoding is copied with the data it points to;
/// data of an addition's encoding must outlive the plans.
ropewalk_kernel stand_in(ropewalk_operation operation);

/// Selects the kernel that the stand-in forwards to on this thread, until the next call.
///
/// domain  a kernel of the stand-in's operation that outlives the plans
void take_the_place_of(const ropewalk_kernel& kernel);

}  // namespace ropewalk::diagnosis
