#pragma once
// Output files that appear whole or not at all: they get their name when they are complete.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/unfinished_file.hpp"

namespace ropewalk::output {

/// An output file. Pipes, devices and - are written in place.
///
/// throws  bad_input "output is PATH (why); allowed: ..." from every function that uses the file system
class output_file {
 public:
  explicit output_file(std::string path);
  ~output_file();  // nothing is left, unless committed
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::string_view bytes);
  void write(const void* bytes, std::size_t size) { write({static_cast<const char*>(bytes), size}); }

  /// Flushes to the device; the file has not its name yet.
  void finish();

  /// Gives the file its name; finishes it first if that has not been done.
  void commit();

  /// True for a pipe, a device or standard output: such an output has no sidecar.
  bool is_direct() const { return is_direct_; }
  const std::string& path() const { return path_; }

 private:
  void open_in_place();
  void open_beside();
  void flush();
  void put(std::string_view bytes);
  void start_writeback();
  void close();
  [[noreturn]] void refuse(int error) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;            // as given, for messages
  std::string target_;          // path of the final file, with links resolved
  unfinished_file unfinished_;  // of an output that is not direct
  std::string buffer_;
  std::int64_t written_ = 0;  // bytes that the system has, and those that it has been told to store
  std::int64_t stored_ = 0;
  int descriptor_ = -1;
  bool is_direct_ = false;
  bool is_finished_ = false;
};

/// Refuses a file that cannot hold `bytes` bytes, before any work: its file system has less space. Does
/// nothing for pipes, devices and -.
///
/// throws  bad_input naming the output, what it needs and what is free
void require_space(const std::string& path, std::uint64_t bytes);

/// Whether standard output is a pipe whose reader has closed it.
bool is_output_closed();

/// Removes unfinished files and ends the program by SIGPIPE, without a message.
[[noreturn]] void end_by_closed_pipe();

/// Installs handlers for SIGINT, SIGTERM and SIGHUP, unless ignored, that remove unfinished files before the
/// program ends. Ignores SIGXFSZ and SIGPIPE, so that a file-size limit or a closed pipe is a write error.
/// Called once, by main.
void install_cleanup_on_signals();

}  // namespace ropewalk::output
