#include "command/python_function.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "input/bad_input.hpp"
#include "input/own_program.hpp"

namespace ropewalk::command {
namespace {

constexpr const char* check_function =
    "import sys\n"
    "try:\n"
    "    from ropewalk._function import main\n"
    "except ImportError as error:\n"
    "    print(f'ropewalk: python3 has no package ropewalk ({error}); allowed: a python3 on the PATH in "
    "which `pip "
    "install` of this source tree has put it', file=sys.stderr)\n"
    "    sys.exit(3)\n"
    "sys.exit(main(sys.argv[1:]))\n";

}  // namespace

bool is_python_function(const std::string& subject) { return subject.find(".py::") != subject.npos; }

exit_code become_check(const std::string& subject, const std::vector<std::string>& words) {
  std::vector<std::string> line{"python3", "-c", check_function, subject};
  bool is_left_out = false;
  for (const std::string& word : words)
    if (word == subject && !is_left_out)
      is_left_out = true;
    else
      line.push_back(word);
  if (std::getenv("ROPEWALK_COMMAND") == nullptr)  // NOLINT(concurrency-*)
    ::setenv("ROPEWALK_COMMAND", input::own_program().c_str(), 1);
  std::vector<char*> arguments;
  for (std::string& word : line) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::cout.flush();
  ::execvp(arguments.front(), arguments.data());
  throw missing_requirement("python3 is not on the PATH; a function in Python needs it");
}

}  // namespace ropewalk::command
