#pragma once
// What a failed system call throws. Whatever this program cannot set up for a kernel says nothing about the
// kernel.

#include <cerrno>
#include <string>
#include <system_error>

#include "ropewalk/law/kernel/kernel_call.hpp"

namespace ropewalk::transport {

/// "WHAT: WHY: a shortage of this machine, and no verdict".
inline std::string shortage_text(const std::string& what, int error) {
  return what + ": " + std::generic_category().message(error) + of_this_machine;
}

/// throws  machine_shortage with errno and what was tried
[[noreturn]] inline void fail(const std::string& what) { throw machine_shortage(shortage_text(what, errno)); }

}  // namespace ropewalk::transport
