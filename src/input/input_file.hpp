#pragma once
// A file, or standard input for -, read front to back.

#include <cstddef>
#include <cstdint>
#include <string>

#include "input/byte_source.hpp"

namespace ropewalk::input {

/// Whether a path names a regular file that the program has opened for reading, possibly under another name.
bool is_input(const std::string& path);

/// An open input. `field` is the option that named it; errors begin with it.
class input_file : public byte_source {
 public:
  /// throws  bad_input when the path is missing, a directory, or cannot be opened
  input_file(std::string field, std::string path);
  ~input_file() override;

  std::size_t read(void* bytes, std::size_t size) override;
  void skip(std::uint64_t size) override;
  /// Size of a regular file in bytes, -1 for a pipe or a device.
  std::int64_t size() const override { return size_; }
  /// The first bytes of a regular file, at most `size`, without consuming them; empty for a pipe or a device.
  std::string first_bytes(std::size_t size) const;
  /// A duplicate descriptor of the file, which the caller must close.
  int another_descriptor() const;
  /// Moves to an offset of a regular file.
  void go_to(std::uint64_t offset);
  const std::string& field() const override { return field_; }
  std::string place() const override { return path_; }
  const std::string& path() const { return path_; }

 private:
  std::string field_;
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = -1;
};

/// The text of a whole file. Refuses a file of more than `largest` bytes without reading all of it.
std::string read_text(const std::string& field, const std::string& path, std::size_t largest);

}  // namespace ropewalk::input
