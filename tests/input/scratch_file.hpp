#pragma once
// Files that a test writes and reads.

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace ropewalk::input {

/// A temporary file, removed at the end of its test.
class scratch_file {
 public:
  explicit scratch_file(const std::string& bytes) {
    const int descriptor = mkstemp(path_);
    close(descriptor);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~scratch_file() { unlink(path_); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;

  std::string path() const { return path_; }

 private:
  char path_[34] = "/tmp/ropewalk-input-XXXXXX";
};

}  // namespace ropewalk::input
