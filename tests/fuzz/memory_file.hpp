#pragma once
// A file without a name, for readers that take a path.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>

namespace ropewalk::fuzz {

class memory_file {
 public:
  memory_file() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) { require(descriptor_ >= 0); }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  /// Makes these bytes the whole file.
  void hold(std::span<const std::uint8_t> bytes) {
    require(::ftruncate(descriptor_, 0) == 0);
    require(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  }

  /// Opens the file anew, from its begin.
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  static void require(bool holds) {
    if (!holds) throw std::system_error(errno, std::generic_category(), "a file in memory");
  }

  int descriptor_;
};

}  // namespace ropewalk::fuzz
