#include "input/kept_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace ropewalk::input {
namespace {

constexpr const char* kept_allowed = "a regular file that can be read";

std::string kind_of_file(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISDIR(mode) ? "a directory" : "not a regular file";
}

}  // namespace

kept_file::kept_file(std::string field, std::string path, std::uint64_t largest)
    : field_(std::move(field)), path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor_ < 0) refuse(std::strerror(errno), kept_allowed);
  struct stat status {};
  const bool is_known = ::fstat(descriptor_, &status) == 0;
  size_ = status.st_size;
  if (is_known && S_ISREG(status.st_mode) && static_cast<std::uint64_t>(size_) <= largest) return;
  ::close(descriptor_);
  if (!is_known || !S_ISREG(status.st_mode)) refuse(kind_of_file(status.st_mode), kept_allowed);
  refuse(size_text(static_cast<std::uint64_t>(size_)), "at most " + size_text(largest));
}

kept_file::~kept_file() { ::close(descriptor_); }

std::size_t kept_file::read(void* bytes, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(descriptor_, static_cast<char*>(bytes) + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(std::strerror(errno), kept_allowed);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void kept_file::go_to(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0)
    refuse(std::strerror(errno), kept_allowed);
}

std::string kept_text(const std::string& field, const std::string& path, std::uint64_t largest) {
  kept_file file(field, path, largest);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  text.resize(file.read(text.data(), text.size()));
  return text;
}

bool kept_lines::next(std::string& line) {
  constexpr std::size_t step = 1 << 16;
  std::size_t end = read_.find('\n', begin_);
  while (end == std::string::npos) {
    read_.erase(0, std::exchange(begin_, 0));
    const std::size_t before = read_.size();
    if (before > longest_) break;
    read_.resize(before + step);
    read_.resize(before + file_.read(read_.data() + before, step));
    if (read_.size() == before) break;
    end = read_.find('\n', before);
  }
  had_end_ = end != std::string::npos;
  if ((had_end_ ? end - begin_ : read_.size()) > longest_)
    file_.refuse("a line of more than " + size_text(longest_), "lines of at most " + size_text(longest_));
  if (!had_end_ && read_.empty()) return false;
  line = read_.substr(begin_, had_end_ ? end - begin_ : std::string::npos);
  begin_ = had_end_ ? end + 1 : read_.size();
  return true;
}

void kept_lines::go_to(std::uint64_t offset) {
  file_.go_to(offset);
  read_.clear();
  begin_ = 0;
}

}  // namespace ropewalk::input
