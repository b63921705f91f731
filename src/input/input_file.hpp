#pragma once
// A file, or standard input for -, read front to back.

#include <cstddef>
#include <cstdint>
#include <string>

namespace ropewalk::input {

/// Whether a path names a regular file that the program has opened for reading, under this or another name.
bool is_input(const std::string& path);

/// An open input. `field` is the option that named it: errors begin with it.
class input_file {
 public:
  /// throws  bad_input when the path is missing, a directory, or cannot be opened
  input_file(std::string field, std::string path);
  ~input_file();
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;

  /// Reads up to `size` bytes and returns their number, which is smaller only at the end of the file.
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

/// The text of a whole file. Refuses a file of more than `largest` bytes without reading it to the end.
std::string read_text(const std::string& field, const std::string& path, std::size_t largest);

}  // namespace ropewalk::input
