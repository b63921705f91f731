#include "plot/short_path.hpp"

#include <charconv>
#include <cmath>

namespace ropewalk::plot {
namespace {

constexpr double tenths = 10;

/// A whole number of tenths as a decimal.
std::string decimal_of(long number) {
  std::string decimal = number < 0 ? "-" : "";
  const long size = std::labs(number);
  if (size >= 10 || size == 0) decimal += std::to_string(size / 10);
  if (size % 10 != 0) decimal += "." + std::to_string(size % 10);
  return decimal;
}

/// Reads a path from left to right.
class path_reader {
 public:
  explicit path_reader(std::string_view path) : rest_(path) { skip(); }

  bool is_at_end() const { return rest_.empty(); }
  char command() {
    const char command = rest_.front();
    rest_.remove_prefix(1);
    skip();
    return command;
  }
  /// The next number in tenths; nullopt if there is none.
  std::optional<long> number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip();
    return std::lround(value * tenths);
  }

 private:
  void skip() {
    const std::size_t next = rest_.find_first_not_of(" \t\r\n,");
    rest_.remove_prefix(next == rest_.npos ? rest_.size() : next);
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::string> short_path(std::string_view path) {
  path_reader from(path);
  std::string text;
  long x = 0, y = 0;
  char last = 0;
  while (!from.is_at_end()) {
    const char command = from.command();
    if (command == 'Z') {
      text += last = 'z';
      continue;
    }
    const auto across = from.number(), down = from.number();
    if ((command != 'M' && command != 'L') || !across || !down) return std::nullopt;
    const bool is_move = command == 'M';
    const long dx = *across - (is_move ? 0 : x), dy = *down - (is_move ? 0 : y);
    x = *across;
    y = *down;
    if (!is_move && dx == 0 && dy == 0 && last == 'l') continue;
    const std::string first = decimal_of(dx), second = decimal_of(dy);
    const char letter = is_move ? 'M' : 'l';
    if (letter != last || is_move)
      text += letter;
    else if (!first.starts_with('-'))
      text += ' ';
    text += first + (second.starts_with('-') ? "" : ",") + second;
    last = letter;
  }
  return text;
}

}  // namespace ropewalk::plot
