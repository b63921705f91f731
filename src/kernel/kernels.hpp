#pragma once
// The kernels of this library, by their C entries.

#include <span>

#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// Every output is the exact value rounded once: slow, the truth.
ropewalk_kernel exact_kernel();

/// The canonical operation with rows of cosines and sines from a table, in plain portable C++.
ropewalk_kernel cpu_table_kernel();

/// All of them, as ropewalk_kernels exports them.
std::span<const ropewalk_kernel> built_in_kernels();

}  // namespace ropewalk
