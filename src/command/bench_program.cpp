#include "command/bench_program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include "command/command.hpp"
#include "input/bad_input.hpp"
#include "input/own_program.hpp"

namespace ropewalk::command {
namespace {

constexpr const char* bench_name = "ropewalk_bench";

[[noreturn]] void fail_bench(const std::string& reason) {
  throw missing_requirement(std::string(bench_name) + " " + reason);
}

/// Becomes a program whose standard output is `output`; a signal that ends the parent ends it too.
[[noreturn]] void become(std::vector<std::string> words, int output, pid_t parent) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  constexpr int cannot_run = 127;  // as shells say it
  if (::getppid() != parent || ::dup2(output, STDOUT_FILENO) < 0) ::_exit(cannot_run);
  ::execv(arguments.front(), arguments.data());
  ::_exit(cannot_run);
}

/// All that can be read from a descriptor, which is closed.
std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 1 << 16> part;
  for (ssize_t size = 0; (size = ::read(descriptor, part.data(), part.size())) != 0;) {
    if (size < 0 && errno != EINTR) break;
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
  }
  ::close(descriptor);
  return text;
}

/// The standard output of a program, and its exit code. It ends when this program does.
std::pair<std::string, int> output_of(const std::vector<std::string>& words) {
  std::cout.flush();
  int ends[2];
  const pid_t parent = ::getpid();
  if (::pipe2(ends, O_CLOEXEC) != 0)
    fail_bench("cannot be started (" + std::generic_category().message(errno) + ")");
  const pid_t child = ::fork();
  if (child == 0) become(words, ends[1], parent);
  ::close(ends[1]);
  if (child < 0) fail_bench("cannot be started (" + std::generic_category().message(errno) + ")");
  std::string text = read_all(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status)) fail_bench("was ended by a signal");
  return {std::move(text), WEXITSTATUS(status)};
}

}  // namespace

std::string bench_program() {
  const std::filesystem::path self = input::own_program().parent_path();
  for (const std::filesystem::path& place : {self / bench_name, self / "../libexec/ropewalk" / bench_name})
    if (::access(place.c_str(), X_OK) == 0) return place;
  throw missing_requirement(
      "ropewalk_bench is not installed; allowed: install the package ropewalk-bench, or build it with ./dev "
      "bench");
}

measure::bench_record run_bench(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{bench_program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--out", "-"});
  const auto [text, code] = output_of(words);
  if (code != static_cast<int>(exit_code::holds) && code != static_cast<int>(exit_code::fails))
    fail_bench("ended with exit code " + std::to_string(code));
  return measure::bench_record_from_json(text, bench_name, "bench");
}

}  // namespace ropewalk::command
