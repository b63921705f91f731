#pragma once
// A file, or standard input for -, read in order, at most to a stated size.

#include <cstddef>
#include <cstdint>
#include <string>

namespace ropewalk::input {

/// Whether a path is that of a file which this program has read, under whatever name.
bool is_input(const std::string& path);

/// An open input. `field` is the option that named it: errors begin with it.
class input_file {
 public:
  /// throws  bad_input when the path is missing, a directory, or cannot be opened
  input_file(std::string field, std::string path);
  ~input_file();
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;

  /// Reads up to `size` bytes and says how many there were: fewer only at the end.
  std::size_t read(void* bytes, std::size_t size);

  /// Size of a regular file in bytes, -1 for a pipe or a device.
  std::int64_t size() const { return size_; }
  const std::string& field() const { return field_; }
  const std::string& path() const { return path_; }

  /// throws  bad_input "FIELD is PATH (why); allowed: WHAT"
  [[noreturn]] void refuse(const std::string& why, const std::string& allowed) const;

 private:
  std::string field_;
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = -1;
};

/// The whole of a file; one that is larger than `largest` bytes is refused before it is read to the end.
std::string read_text(const std::string& field, const std::string& path, std::size_t largest);

}  // namespace ropewalk::input
