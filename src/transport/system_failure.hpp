#pragma once
// Exception for failed system calls. If this program cannot set up a kernel, that is no verdict on the
// kernel.

#include <cerrno>
#include <string>
#include <system_error>

#include "ropewalk/law/kernel/kernel_call.hpp"

namespace ropewalk::transport {

/// "STEP: REASON: a shortage of this machine, and no verdict".
inline std::string shortage_text(const std::string& what, int error) {
  return what + ": " + std::generic_category().message(error) + of_this_machine;
}

/// throws  machine_shortage with errno and the failed step
[[noreturn]] inline void fail(const std::string& what) { throw machine_shortage(shortage_text(what, errno)); }

}  // namespace ropewalk::transport
