#pragma once
// Output of a library's processes: kept in an unnamed file, counted, and passed on.

#include <cstdint>

namespace ropewalk::transport {

class printed_bytes {
 public:
  /// Cap on the kept bytes. Writing more is an error (EPERM) in the process.
  static constexpr std::int64_t most = std::int64_t{1} << 20;

  /// throws  machine_shortage if the system refuses the file
  printed_bytes();
  ~printed_bytes();
  printed_bytes(const printed_bytes&) = delete;
  printed_bytes& operator=(const printed_bytes&) = delete;

  /// Descriptor for the process's standard error.
  int descriptor() const { return descriptor_; }
  /// Passes new output on to standard error.
  void pass_on();
  /// Bytes printed and passed on.
  std::int64_t count() const { return count_; }

 private:
  int descriptor_ = -1;
  std::int64_t count_ = 0;
};

}  // namespace ropewalk::transport
