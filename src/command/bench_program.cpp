#include "command/bench_program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>

#include "command/command.hpp"
#include "command/shell_words.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

constexpr const char* bench_name = "ropewalk_bench";

[[noreturn]] void fail_bench(const std::string& what) {
  throw missing_requirement(std::string(bench_name) + " " + what);
}

/// The standard output of a shell command, and its exit code.
std::pair<std::string, int> output_of(const std::string& command) {
  std::cout.flush();
  FILE* const from = ::popen(command.c_str(), "re");
  if (from == nullptr) fail_bench("cannot be started (" + std::generic_category().message(errno) + ")");
  std::string text;
  std::array<char, 1 << 16> part;
  for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), from)) > 0;)
    text.append(part.data(), size);
  const int status = ::pclose(from);
  if (!WIFEXITED(status)) fail_bench("was ended by a signal");
  return {std::move(text), WEXITSTATUS(status)};
}

}  // namespace

std::string bench_program() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& place : {self / bench_name, self / "../libexec/ropewalk" / bench_name})
    if (::access(place.c_str(), X_OK) == 0) return place;
  throw missing_requirement(
      "ropewalk_bench is not installed; allowed: install the package ropewalk-bench, or build it with ./dev "
      "bench");
}

measure::bench_record run_bench(const std::vector<std::string>& arguments) {
  std::string command = "exec " + shell_quoted(bench_program());
  for (const std::string& argument : arguments) command += " " + shell_quoted(argument);
  const auto [text, code] = output_of(command + " --out -");
  if (code != static_cast<int>(exit_code::holds) && code != static_cast<int>(exit_code::fails))
    fail_bench("ended with exit code " + std::to_string(code));
  return measure::bench_record_from_json(text, bench_name, "bench");
}

}  // namespace ropewalk::command
