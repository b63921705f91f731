#pragma once
// What the processes of a library print: kept in a file that has no name, counted, and passed on.

#include <cstdint>

namespace ropewalk::transport {

class printed_bytes {
 public:
  /// Bytes that are kept. Further ones are refused: the process gets an error (EPERM) when it writes them.
  static constexpr std::int64_t most = std::int64_t{1} << 20;

  /// throws  machine_shortage if the system gives no such file
  printed_bytes();
  ~printed_bytes();
  printed_bytes(const printed_bytes&) = delete;
  printed_bytes& operator=(const printed_bytes&) = delete;

  /// What the process is to have as its standard error.
  int descriptor() const { return descriptor_; }
  /// Passes on to standard error what was printed since the last time.
  void pass_on();
  /// Bytes that were printed and passed on.
  std::int64_t count() const { return count_; }

 private:
  int descriptor_ = -1;
  std::int64_t count_ = 0;
};

}  // namespace ropewalk::transport
