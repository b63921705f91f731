#include "transport/printed_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "transport/system_failure.hpp"

namespace ropewalk::transport {

namespace {

/// A byte as shown on the terminal. Control characters become question marks, since they could change the
/// terminal or make it answer.
std::byte shown(std::byte first) {
  const auto letter = std::to_integer<unsigned>(first);
  constexpr unsigned space = 0x20, erase = 0x7f;
  const bool is_control =
      (letter < space && letter != '\n' && letter != '\t' && letter != '\r') || letter == erase;
  return is_control ? std::byte{'?'} : first;
}

}  // namespace

printed_bytes::printed_bytes()
    : descriptor_(::memfd_create("ropewalk printed", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  // Sealed at its full size; pages take memory when they are written.
  if (descriptor_ >= 0 && ::ftruncate(descriptor_, most) == 0 &&
      ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
    return;
  const int error = errno;
  if (descriptor_ >= 0) ::close(descriptor_);
  errno = error;
  fail("keeping what a library's process prints");
}

printed_bytes::~printed_bytes() { ::close(descriptor_); }

void printed_bytes::pass_on() {
  // The process shares the descriptor's offset, and may set it to any number.
  const std::int64_t end = std::min<std::int64_t>(::lseek(descriptor_, 0, SEEK_CUR), most);
  std::array<std::byte, 4096> part{};
  while (count_ < end) {
    const auto wanted = std::min(part.size(), static_cast<std::size_t>(end - count_));
    const ssize_t came = ::pread(descriptor_, part.data(), wanted, count_);
    if (came <= 0) return;
    for (std::byte& byte : part) byte = shown(byte);
    for (ssize_t done = 0; done < came;) {
      const ssize_t written =
          ::write(STDERR_FILENO, part.data() + done, static_cast<std::size_t>(came - done));
      if (written < 0) break;  // standard error is closed or full
      done += written;
    }
    count_ += came;
  }
}

}  // namespace ropewalk::transport
