#include "input/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "input/bad_input.hpp"

namespace ropewalk::input {
namespace {

struct file_identity {
  dev_t device;
  ino_t number;
  bool operator==(const file_identity&) const = default;
};

/// The regular files that the program has opened for reading.
std::vector<file_identity>& files_read() {
  static std::vector<file_identity> files;
  return files;
}

}  // namespace

bool is_input(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const auto& files = files_read();
  return std::find(files.begin(), files.end(), file_identity{status.st_dev, status.st_ino}) != files.end();
}

input_file::input_file(std::string field, std::string path)
    : field_(std::move(field)), path_(std::move(path)) {
  descriptor_ = path_ == "-" ? ::dup(STDIN_FILENO) : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(std::strerror(errno), "a file that can be read, or -");
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = status.st_size;
    files_read().push_back({status.st_dev, status.st_ino});
  }
  if (S_ISDIR(status.st_mode)) {
    ::close(descriptor_);
    refuse("a directory", "a file that can be read, or -");
  }
}

input_file::~input_file() { ::close(descriptor_); }

std::size_t input_file::read(void* bytes, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(descriptor_, static_cast<char*>(bytes) + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(std::strerror(errno), "a file that can be read, or -");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void input_file::skip(std::uint64_t size) {
  if (size_ < 0) return byte_source::skip(size);
  if (::lseek(descriptor_, static_cast<off_t>(size), SEEK_CUR) < 0)
    refuse(std::strerror(errno), "a regular file");
}

std::string input_file::first_bytes(std::size_t size) const {
  std::string bytes(size, '\0');
  const ssize_t count = size_ < 0 ? 0 : ::pread(descriptor_, bytes.data(), size, 0);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return bytes;
}

int input_file::another_descriptor() const {
  const int descriptor = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) refuse(std::strerror(errno), "a file that can be read, or -");
  return descriptor;
}

void input_file::go_to(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0)
    refuse(std::strerror(errno), "a regular file");
}

std::string read_text(const std::string& field, const std::string& path, std::size_t largest) {
  input_file input(field, path);
  const std::string allowed = "at most " + size_text(largest);
  if (input.size() > static_cast<std::int64_t>(largest))
    input.refuse(size_text(static_cast<std::uint64_t>(input.size())), allowed);
  constexpr std::size_t step = 1 << 16;
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + step);
    const std::size_t count = input.read(text.data() + before, step);
    text.resize(before + count);
    if (text.size() > largest) input.refuse("more than " + size_text(largest), allowed);
    if (count < step) return text;
  }
}

}  // namespace ropewalk::input
