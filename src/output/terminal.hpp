#pragma once
// Output for terminals only: colour, and the progress of long work.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ropewalk::output {

enum class stream { out, error };

bool is_terminal(stream where);

/// Width in characters; 80 if unknown.
int columns(stream where);

/// True on a terminal whose TERM is set and not "dumb", unless NO_COLOR is set and not empty.
bool colour_is_wanted(stream where);

enum class colour { red, green, yellow, bold };

/// `text` in colour if colour is wanted on `where`, else unchanged.
std::string coloured(std::string_view text, colour hue, stream where);

/// A line of progress: "verify [####....]  50 %, 12 s left". The time left is what the rest takes at the mean
/// speed so far; a line does not say it in the first second, or before a hundredth is done.
///
/// domain  0 <= part <= 1
std::string progress_line(std::string_view label, double part, std::chrono::duration<double> elapsed);

/// A progress bar on stderr, only on a terminal, redrawn at most ten times a second and erased at the end.
class progress_bar {
 public:
  progress_bar(std::string label, std::uint64_t total, bool quiet);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  void show(std::uint64_t done);
  /// Replaces the label, from the next `show` on.
  void say(std::string label) { label_ = std::move(label); }

 private:
  std::string label_;
  std::uint64_t total_;
  bool is_on_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace ropewalk::output
