#include "input/own_program.hpp"

#include <system_error>

#include "input/bad_input.hpp"

namespace ropewalk::input {

std::filesystem::path own_program() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error && self.is_absolute()) return self;
  throw missing_requirement("this program cannot find its own path (/proc/self/exe: " +
                            (error ? error.message() : std::string("no absolute path")) +
                            "), next to which its parts are; allowed: a mounted /proc");
}

}  // namespace ropewalk::input
