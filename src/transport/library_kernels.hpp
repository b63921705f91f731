#pragma once
// The kernels of a shared library, which run in processes of their own.

#include <cstdint>
#include <string>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/child.hpp"

namespace ropewalk::transport {

/// Loads a library in a process of its own and returns its kernels. They live until this program ends.
///
/// throws  unusable_library; no_answer if the process ended or was silent while it loaded the library
std::vector<const ropewalk_kernel*> library_kernels(const std::string& path, const child_limits& limits);

/// What processes of libraries the system could not keep from this program, a line each, and why.
std::vector<std::string> unconfined_libraries();

/// How the processes of a library behaved as a whole.
struct ended_library {
  std::string path;
  std::string how;           // "ended with exit code 0 when it was unloaded"; empty: as they were asked to
  std::int64_t printed = 0;  // bytes on standard output and standard error
  bool is_cut = false;       // whether a process printed as much as is kept of it
};

/// Has every library unloaded; its kernels may not be used afterwards.
std::vector<ended_library> end_libraries();

}  // namespace ropewalk::transport
