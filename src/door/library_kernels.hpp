#pragma once
// The kernels of a shared library, which run in processes of their own.

#include <string>
#include <vector>

#include "door/child.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::door {

/// Loads a library in a process of its own and returns its kernels. They live until this program ends.
///
/// throws  unusable_library; no_answer if the process ended or was silent while it loaded the library
std::vector<const ropewalk_kernel*> library_kernels(const std::string& path, const child_limits& limits);

/// A library whose process ended in another way than it was asked to.
struct ended_library {
  std::string path;
  std::string how;  // "ended with exit code 0 when it was unloaded"
};

/// Has every library unloaded; its kernels may not be used afterwards.
std::vector<ended_library> end_libraries();

}  // namespace ropewalk::door
