#pragma once
// One kernel that does what another one does, as it is told: kernels that are compared share what is exact of their encoding.

#include "ropewalk/kernel/kernel.h"

namespace ropewalk::diagnosis {

/// A kernel that plans and answers as the one that the calling thread took last. Its plans hold those of every kernel, each
/// made when it is first asked for. What the encoding of an addition points at must last as long; a rotation's is copied.
ropewalk_kernel stand_in(ropewalk_operation operation);

/// Until this thread takes another.
///
/// domain  a kernel of the operation, which lasts as long as the plans
void take_the_place_of(const ropewalk_kernel& kernel);

}  // namespace ropewalk::diagnosis
