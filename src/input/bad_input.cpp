#include "input/bad_input.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t longest_value = 200;

std::string escaped(unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    if (line.size() >= longest_value) return line + "...";
    if (letter >= ' ' && letter <= '~')
      line += letter;
    else
      line += escaped(static_cast<unsigned char>(letter));
  }
  return line;
}

}  // namespace ropewalk
