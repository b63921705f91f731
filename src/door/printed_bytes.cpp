#include "door/printed_bytes.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "door/system_failure.hpp"

namespace ropewalk::door {

printed_bytes::printed_bytes() : descriptor_(::memfd_create("ropewalk printed", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail("keeping what a library's process prints");
}

printed_bytes::~printed_bytes() { ::close(descriptor_); }

void printed_bytes::pass_on() {
  struct stat now {};
  std::array<std::byte, 4096> part{};
  while (::fstat(descriptor_, &now) == 0 && now.st_size > count_) {
    const ssize_t came = ::pread(descriptor_, part.data(), part.size(), count_);
    if (came <= 0) return;
    for (ssize_t done = 0; done < came;) {
      const ssize_t written =
          ::write(STDERR_FILENO, part.data() + done, static_cast<std::size_t>(came - done));
      if (written < 0) break;  // standard error is closed or full
      done += written;
    }
    count_ += came;
  }
}

}  // namespace ropewalk::door
