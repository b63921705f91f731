#include "output/output_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "input/bad_input.hpp"
#include "input/input_file.hpp"
#include "output/delayed_signals.hpp"

namespace ropewalk::output {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

extern "C" void remove_unfinished(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

bool names_a_descriptor(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

}  // namespace

void install_cleanup_on_signals() {
  for (const int signal : ending_signals) {
    // A shell starts background jobs with interrupts ignored: leave that as it is.
    if (std::signal(signal, remove_unfinished) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

bool is_output_closed() {
  pollfd status{STDOUT_FILENO, 0, 0};
  return ::poll(&status, 1, 0) == 1 && (status.revents & POLLERR) != 0;
}

void end_by_closed_pipe() {
  remove_unfinished(SIGPIPE);
  std::_Exit(128 + SIGPIPE);  // where SIGPIPE is blocked: the status that a shell gives for it
}

void require_space(const std::string& path, std::uint64_t bytes) {
  struct stat status {};
  if (path == "-" || (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))) return;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code unknown;  // an output that cannot be opened is refused when it is
  const std::filesystem::space_info space = std::filesystem::space(folder.empty() ? "." : folder, unknown);
  if (unknown || space.available >= bytes) return;
  throw bad_input("output", path + " (" + size_text(bytes) + ")",
                  "a path with enough space; " + size_text(space.available) + " are free there");
}

output_file::output_file(std::string path) : path_(std::move(path)), target_(path_) {
  if (path_.empty()) refuse("empty");
  if (path_ == "-") {
    is_direct_ = true;
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0) refuse(errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuse(errno);
  if (exists && S_ISDIR(status.st_mode)) refuse("a directory");
  if (names_a_descriptor(path_) || (exists && !S_ISREG(status.st_mode))) {
    is_direct_ = true;
    open_in_place();
    return;
  }
  if (exists) {
    if (input::is_input(path_)) refuse("an input");
    if (::access(path_.c_str(), W_OK) != 0) refuse(errno);
    char resolved[PATH_MAX] = {};
    if (::realpath(path_.c_str(), resolved) == nullptr) refuse(errno);
    target_ = resolved;
  } else if (::lstat(path_.c_str(), &status) == 0) {
    refuse("a dangling symbolic link");
  }
  open_beside();
}

/// Opens a pipe or device for writing. Waits up to a second for the reader of a pipe, then refuses it.
void output_file::open_in_place() {
  constexpr int patience = 100;
  constexpr std::chrono::milliseconds step{10};
  for (int tries = 0;; ++tries) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_APPEND | O_NONBLOCK);
    if (descriptor_ >= 0) break;
    if (errno != ENXIO) refuse(errno);
    if (tries == patience) refuse("a pipe without a reader");
    std::this_thread::sleep_for(step);
  }
  const int flags = ::fcntl(descriptor_, F_GETFL);
  if (flags < 0 || ::fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK) < 0) refuse(errno);
}

void output_file::open_beside() {
  if (target_.ends_with('/')) refuse("no such directory");
  if (const int error = unfinished_.create(target_); error != 0) refuse(error);
  descriptor_ = unfinished_.descriptor();
}

output_file::~output_file() {
  if (is_direct_ && descriptor_ >= 0) ::close(descriptor_);
}

void output_file::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  if (bytes.size() < buffer_size)
    buffer_ += bytes;
  else
    put(bytes);
}

void output_file::flush() {
  put(buffer_);
  buffer_.clear();
}

void output_file::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE && path_ == "-") end_by_closed_pipe();
    if (count < 0) refuse(errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    written_ += count;
  }
  start_writeback();
}

/// Lets the device store what has been written while more is made, so that finish() has little to wait for.
void output_file::start_writeback() {
#ifdef SYNC_FILE_RANGE_WRITE
  constexpr std::int64_t step = 4 << 20;
  if (is_direct_ || written_ - stored_ < step) return;
  static_cast<void>(::sync_file_range(descriptor_, stored_, written_ - stored_,
                                      SYNC_FILE_RANGE_WRITE));  // finish() reports
  stored_ = written_;
#endif
}

void output_file::finish() {
  flush();
  if (is_direct_) return close();
  // For a file, this reports a late EIO or ENOSPC.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) refuse(errno);
  is_finished_ = true;
}

/// Pipes and devices have nothing to synchronise.
void output_file::close() {
  if (descriptor_ < 0) return;
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  if (result != 0 && errno != EINTR) refuse(errno);
}

void output_file::commit() {
  if (!is_finished_) finish();
  if (is_direct_) return;
  if (const int error = unfinished_.give_name(); error != 0) refuse(error);
}

void output_file::refuse(int error) const { refuse(std::strerror(error)); }

void output_file::refuse(const std::string& why) const {
  throw bad_input("output", path_ + " (" + why + ")", "a writable path with enough space, or -");
}

}  // namespace ropewalk::output
