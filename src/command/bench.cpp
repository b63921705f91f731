// ropewalk bench: checks the options, and becomes ropewalk_bench.

#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <memory>
#include <system_error>

#include "command/bench_options.hpp"
#include "command/bench_program.hpp"
#include "command/command.hpp"
#include "command/parser.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::command {
namespace {

/// Replaces this process by ropewalk_bench, with the words as typed; returns only by throwing.
exit_code become_bench(std::vector<std::string> arguments) {
  std::string program = bench_program();
  std::vector<char*> words{program.data()};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::cout.flush();
  execv(program.c_str(), words.data());
  throw missing_requirement(program + " cannot be run (" + std::generic_category().message(errno) + ")");
}

}  // namespace

void add_bench(parser& program, session& session) {
  subcommand command = program.add("bench");
  const auto options = std::make_shared<bench_options>();
  take_all(command, *options);
  command.run([options, &session] { return become_bench(session.arguments); });
}

}  // namespace ropewalk::command
