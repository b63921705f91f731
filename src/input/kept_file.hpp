#pragma once
// Files that the program wrote earlier and reads again. They must be regular files of a bounded size,
// whatever is there now.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "input/byte_source.hpp"

namespace ropewalk::input {

/// An open file. Refuses pipes and devices without blocking.
class kept_file : public byte_source {
 public:
  /// throws  bad_input "FIELD is PATH (why); allowed: ..." when the path is missing, not a regular file, or
  ///         has more than `largest` bytes
  kept_file(std::string field, std::string path,
            std::uint64_t largest = std::numeric_limits<std::uint64_t>::max());
  ~kept_file() override;

  std::size_t read(void* bytes, std::size_t size) override;
  /// Moves to an offset.
  void go_to(std::uint64_t offset);
  /// Number of bytes when the file was opened.
  std::int64_t size() const override { return size_; }
  const std::string& field() const override { return field_; }
  std::string place() const override { return path_; }

 private:
  std::string field_;
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

/// The text of a whole file.
///
/// throws  bad_input, as kept_file does
std::string kept_text(const std::string& field, const std::string& path, std::uint64_t largest);

/// The lines of a file, each of at most `longest` bytes.
class kept_lines {
 public:
  kept_lines(const std::string& field, const std::string& path, std::size_t longest)
      : file_(field, path), longest_(longest) {}

  /// The next line without its end; false if there is none.
  ///
  /// throws  bad_input if the line is too long
  bool next(std::string& line);
  /// Whether the last line had a line end; without one it may still be growing.
  bool had_end() const { return had_end_; }
  /// Moves to the line that begins at an offset.
  void go_to(std::uint64_t offset);

 private:
  kept_file file_;
  std::size_t longest_;
  std::string read_;  // bytes read from the file; unused ones begin at begin_
  std::size_t begin_ = 0;
  bool had_end_ = true;
};

}  // namespace ropewalk::input
