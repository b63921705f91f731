#pragma once
// What may be shown on a terminal and nowhere else: colour, and how far a long piece of work has come.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace ropewalk::output {

enum class stream { out, error };

bool is_terminal(stream where);

/// How many characters a line of it has; 80 where that is not known.
int columns(stream where);

/// True on a terminal that is not dumb, unless NO_COLOR is set.
bool colour_is_wanted(stream where);

enum class colour { red, green, yellow, bold };

/// `text` in colour where colour is wanted, as it is elsewhere.
std::string coloured(std::string_view text, colour hue, stream where);

/// A bar on stderr, only on a terminal, redrawn at most ten times a second, and wiped away at the end.
class progress_bar {
 public:
  progress_bar(std::string label, std::uint64_t total, bool quiet);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(std::uint64_t done);

 private:
  std::string label_;
  std::uint64_t total_;
  bool is_on_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace ropewalk::output
