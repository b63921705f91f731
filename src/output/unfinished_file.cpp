#include "output/unfinished_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "output/delayed_signals.hpp"

namespace ropewalk::output {
namespace {

constexpr std::string_view unfinished_mark = ".ropewalk-";  // nobody's own file has such a name
constexpr std::size_t drawn_letters = 6;
constexpr std::size_t kept_of_target = 200;  // of the target's name, so that the temporary name is below 256

/// Path of a named file, for the signal handler, which must not use strings or locks.
struct named_file {
  std::atomic<bool> taken = false;
  std::atomic<bool> ready = false;
  char path[PATH_MAX] = {};
};
std::array<named_file, 16> named_files;

int remember(const std::string& path) {
  for (std::size_t slot = 0; slot < named_files.size(); ++slot) {
    if (path.size() >= PATH_MAX || named_files[slot].taken.exchange(true)) continue;
    std::memcpy(named_files[slot].path, path.c_str(), path.size() + 1);
    named_files[slot].ready = true;
    return static_cast<int>(slot);
  }
  return -1;
}

void forget(int slot) {
  if (slot < 0) return;
  named_files[static_cast<std::size_t>(slot)].ready = false;
  named_files[static_cast<std::size_t>(slot)].taken = false;
}

std::size_t name_begin(const std::string& target) {
  const auto slash = target.rfind('/');
  return slash == std::string::npos ? 0 : slash + 1;
}

std::string folder_of(const std::string& target) {
  return name_begin(target) == 0 ? "." : target.substr(0, name_begin(target));
}

/// ".NAME.ropewalk-", with which the names of all unfinished files of a target begin.
std::string stem_of(const std::string& target) {
  return "." + target.substr(name_begin(target), kept_of_target) + std::string(unfinished_mark);
}

std::string template_of(const std::string& target) {
  return target.substr(0, name_begin(target)) + stem_of(target) + std::string(drawn_letters, 'X');
}

bool is_lock_free(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; }

bool names_file(const std::string& path, int file) {
  struct stat named {};
  struct stat open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(file, &open) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

/// Removes what killed programs left: a living one holds a lock on its file.
void collect(const std::string& target) {
  const std::string stem = stem_of(target);
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_of(target), error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(stem) || name.size() != stem.size() + drawn_letters) continue;
    const int left = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (left < 0) continue;
    if (is_lock_free(left) && names_file(at->path().string(), left)) ::unlink(at->path().c_str());
    ::close(left);
  }
}

mode_t mode_for(const std::string& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) return status.st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

std::string link_in_proc(int file) { return "/proc/self/fd/" + std::to_string(file); }

/// A file without a name, of which /proc can make a link; -1 where there is no such thing.
int open_unnamed(const std::string& target) {
#ifdef O_TMPFILE
  const int unnamed = ::open(folder_of(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (unnamed < 0 || ::access(link_in_proc(unnamed).c_str(), F_OK) == 0) return unnamed;
  ::close(unnamed);
#else
  static_cast<void>(target);
#endif
  return -1;
}

}  // namespace

void remove_unfinished_files() {
  for (const named_file& file : named_files)
    if (file.ready) ::unlink(file.path);
}

unfinished_file::~unfinished_file() {
  if (!name_.empty()) ::unlink(name_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
  forget(slot_);
}

int unfinished_file::create(const std::string& target) {
  target_ = target;
  const delayed_signals until_it_is_remembered;
  collect(target_);
  descriptor_ = open_unnamed(target_);
  if (descriptor_ >= 0)
    ::flock(descriptor_, LOCK_EX | LOCK_NB);  // for the moment in give_name() in which it has another name
  else if (const int error = create_named(); error != 0)
    return error;
  ::fchmod(descriptor_, mode_for(target_));
  return 0;
}

int unfinished_file::create_named() {
  for (;;) {
    name_ = template_of(target_);
    descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
      const int error = errno;
      name_.clear();
      return error;
    }
    // Between its creation and its lock, another program may have taken it for left over: then once more.
    ::flock(descriptor_, LOCK_EX);
    struct stat status {};
    if (::lstat(name_.c_str(), &status) == 0 || errno != ENOENT) break;
    ::close(descriptor_);
  }
  slot_ = remember(name_);
  return 0;
}

int unfinished_file::link_to(const std::string& name) const {
  const bool made =
      ::linkat(AT_FDCWD, link_in_proc(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  return made ? 0 : errno;
}

/// Links replace nothing, so a file that takes another's place has a name of its own for a moment.
int unfinished_file::link_to_new_name() {
  std::random_device random;
  for (;;) {
    std::string name = template_of(target_);
    for (std::size_t i = name.size() - drawn_letters; i < name.size(); ++i)
      name[i] = static_cast<char>('a' + random() % 26);
    slot_ = remember(name);
    const int error = link_to(name);
    if (error == 0) name_ = std::move(name);
    if (error != EEXIST) return error;
    forget(std::exchange(slot_, -1));
  }
}

int unfinished_file::give_name() {
  const delayed_signals until_it_is_done;
  int error = name_.empty() ? link_to(target_) : EEXIST;
  if (error == EEXIST) {
    error = name_.empty() ? link_to_new_name() : 0;
    if (error == 0 && ::rename(name_.c_str(), target_.c_str()) != 0) error = errno;
    if (error == 0) name_.clear();
  }
  if (error != 0) return error;
  ::close(std::exchange(descriptor_, -1));
  forget(std::exchange(slot_, -1));
  return 0;
}

}  // namespace ropewalk::output
