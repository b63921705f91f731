#include "plot/gnuplot.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "input/bad_input.hpp"

namespace ropewalk::plot {
namespace {

/// An in-memory file.
class memory_file {
 public:
  memory_file() : descriptor_(::memfd_create("ropewalk gnuplot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "gnuplot");
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  int descriptor() const { return descriptor_; }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw std::system_error(errno, std::generic_category(), "gnuplot");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }

  std::string text() const {
    std::string text;
    std::array<char, 1 << 16> part{};
    off_t at = 0;
    for (ssize_t count = 0; (count = ::pread(descriptor_, part.data(), part.size(), at)) > 0; at += count)
      text.append(part.data(), static_cast<std::size_t>(count));
    return text;
  }

 private:
  int descriptor_;
};

/// The path of a program found on PATH; empty if there is none.
std::string found_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    std::error_code unknown;
    if (std::filesystem::is_regular_file(file, unknown) && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::string gnuplot_path() {
  std::string path = found_on_path("gnuplot");
  if (path.empty())
    throw missing_requirement(
        "gnuplot is not installed; allowed: a PATH that has it (apt-get install gnuplot-nox), or `ropewalk "
        "plot --text`, which does not need gnuplot");
  return path;
}

/// The environment without the user's gnuplot or locale settings.
std::vector<std::string> plain_environment() {
  std::vector<std::string> environment{"LC_ALL=C.UTF-8"};
  for (char** letter = environ; *letter != nullptr; ++letter) {
    const std::string_view entry = *letter;
    if (!entry.starts_with("LC_") && !entry.starts_with("LANG") && !entry.starts_with("GNUTERM") &&
        !entry.starts_with("GNUPLOT") && !entry.starts_with("FIT_"))
      environment.emplace_back(entry);
  }
  return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Runs gnuplot without the user's start-up files; returns its status from waitpid.
int run(const memory_file& in, const memory_file& out, const memory_file& error) {
  std::vector<std::string> words{gnuplot_path(), "-d"}, variables = plain_environment();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, error.descriptor(), STDERR_FILENO);
  pid_t child = -1;
  const int failure = ::posix_spawn(&child, words.front().c_str(), &actions, nullptr,
                                    pointers_to(words).data(), pointers_to(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw missing_requirement("gnuplot cannot be run: " + std::generic_category().message(failure));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

void require_gnuplot() { static_cast<void>(gnuplot_path()); }

std::string run_gnuplot(const std::string& script) {
  memory_file in, out, error;
  in.write(script);
  const int status = run(in, out, error);
  // gnuplot may report an error and still exit with 0; no output means failure.
  std::string gnuplot = out.text();
  if (status == 0 && !gnuplot.empty()) return gnuplot;
  throw std::runtime_error("gnuplot failed: " + printable(error.text()));
}

}  // namespace ropewalk::plot
