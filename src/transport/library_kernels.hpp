#pragma once
// Kernels of a shared library, which run in separate processes.

#include <cstdint>
#include <string>
#include <vector>

#include "ropewalk/kernel/kernel.h"
#include "transport/child.hpp"

namespace ropewalk::transport {

/// Loads a library in a separate process and returns its kernels, which live until this program ends.
///
/// throws  unusable_library; no_answer if the process ended or did not answer while loading the library
std::vector<const ropewalk_kernel*> library_kernels(const std::string& path, const child_limits& limits);

/// Libraries whose processes the system could not confine, one line each, with the reason.
std::vector<std::string> unconfined_libraries();

/// How the processes of a library behaved.
struct ended_library {
  std::string path;
  std::string how;           // "ended with exit code 0 when it was unloaded"; empty: normally
  std::int64_t printed = 0;  // bytes on standard output and standard error
  bool is_cut = false;       // whether a process printed as much as the cap allows
};

/// Unloads every library; its kernels may not be used afterwards.
std::vector<ended_library> end_libraries();

}  // namespace ropewalk::transport
