#pragma once
// An output that is there whole or not at all: written beside its place, then renamed into it.

#include <cstddef>
#include <string>
#include <string_view>

namespace ropewalk::output {

/// An output file. What is no regular file (-, a pipe, a device) is written directly.
///
/// throws  bad_input "output is PATH (why); allowed: ..." from every function that meets the file system
class output_file {
 public:
  explicit output_file(std::string path);
  ~output_file();  // removes what was written, unless committed
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::string_view bytes);
  void write(const void* bytes, std::size_t size) { write({static_cast<const char*>(bytes), size}); }

  /// Flushes to the device and closes; the bytes are still beside their place.
  void finish();

  /// Moves the finished bytes into their place.
  void commit();

  /// True for a pipe, a device or standard output: it has no name that a second file could stand beside.
  bool is_direct() const { return temporary_.empty(); }
  const std::string& path() const { return path_; }

 private:
  void open_in_place();
  void open_beside();
  void flush();
  void close();
  [[noreturn]] void refuse(int error) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;       // as given, for messages
  std::string target_;     // where the bytes go, links resolved
  std::string temporary_;  // empty when written directly
  std::string buffer_;
  int descriptor_ = -1;
  int slot_ = -1;  // which entry of the table that a signal handler clears
  bool committed_ = false;
};

/// Makes an interrupted program remove what it had begun, and a full device or a closed pipe an error instead
/// of a signal. Called once, by main.
void install_cleanup_on_signals();

}  // namespace ropewalk::output
