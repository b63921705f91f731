// ropewalk bench: runs ropewalk_bench, which is in the same directory as this program.

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "command/command.hpp"
#include "command/parser.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

/// Replaces this process by ropewalk_bench; returns only by throwing.
exit_code become_bench(std::vector<std::string> arguments) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::string program = (error ? std::filesystem::path() : self.parent_path()) / "ropewalk_bench";
  std::vector<char*> words{program.data()};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::cout.flush();
  execv(program.c_str(), words.data());
  throw missing_requirement("program is " + program + ", which cannot be run (" +
                            std::generic_category().message(errno) +
                            "); allowed: ./dev bench, or a build where Google Benchmark is installed");
}

}  // namespace

void add_bench(parser& program) {
  subcommand command = program.add("bench", "run the benchmarks (forwards to ropewalk_bench)");
  command.footer(
      "Every argument is handed on: --quick, --out FILE, --benchmark_filter=REGEX, --benchmark_list_tests.\n"
      "Example:\n  ropewalk bench --quick");
  command.run_with_arguments(become_bench);
}

}  // namespace ropewalk::command
