#pragma once
// What a failed system call throws.

#include <cerrno>
#include <system_error>

namespace ropewalk::door {

/// throws  std::system_error with errno and what was tried
[[noreturn]] inline void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace ropewalk::door
