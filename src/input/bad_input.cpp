#include "input/bad_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ropewalk {
namespace {

constexpr std::string_view prefix = "ropewalk: ", middle = " is ", end = "; allowed: ";
constexpr std::size_t shortest_value = 40;  // shown even if the line becomes too long

std::string escaped(unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\t') return "\\t";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

/// The number of characters of a value that fit into a refusal.
std::size_t room_for_value(std::string_view field, std::string_view allowed) {
  const std::size_t rest = prefix.size() + field.size() + middle.size() + end.size() + allowed.size() + 1;
  return std::max(shortest_value, longest_refusal - std::min(longest_refusal, rest));
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  constexpr std::string_view gap = "...";
  std::string line;
  for (const char letter : text) {
    if (letter >= ' ' && letter <= '~')
      line += letter;
    else
      line += escaped(static_cast<unsigned char>(letter));
  }
  if (line.size() <= longest || longest <= gap.size()) return line.substr(0, longest);
  const std::size_t kept = longest - gap.size(), last = kept / 2;
  return line.substr(0, kept - last) + std::string(gap) + line.substr(line.size() - last);
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::string_view units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1023.95 && unit + 1 < std::size(units); ++unit) size /= 1024;
  const bool is_whole = size == std::floor(size);
  return fmt::format("{:.{}f} {}", size, is_whole ? 0 : 1, units[unit]);
}

bad_input::bad_input(std::string_view field, std::string_view value, std::string_view allowed)
    : std::invalid_argument(std::string(field) + std::string(middle) +
                            printable(value, room_for_value(field, allowed)) + std::string(end) +
                            std::string(allowed)) {}

}  // namespace ropewalk
