#include "command/recorded_command.hpp"

#include "command/shell_words.hpp"

namespace ropewalk::command {

std::string recorded_command(std::string_view command, const std::vector<std::string>& arguments) {
  std::string line = "ropewalk " + std::string(command);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--quiet" || word.starts_with("--output=")) continue;
    if (word == "--output")
      ++i;  // and its value
    else
      line += " " + shell_quoted(word);
  }
  return line;
}

}  // namespace ropewalk::command
