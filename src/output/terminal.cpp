#include "output/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ropewalk::output {
namespace {

constexpr std::size_t bar_width = 40;
constexpr std::chrono::duration<double> first_estimate{
    1};  // earlier, and below that part, a speed says little
constexpr double least_estimated = 0.01;
constexpr int usual_columns = 80;
constexpr auto redraw_interval = std::chrono::milliseconds(100);

int descriptor_of(stream where) { return where == stream::out ? STDOUT_FILENO : STDERR_FILENO; }

std::string_view code_of(colour hue) {
  switch (hue) {
    case colour::red: return "31";
    case colour::green: return "32";
    case colour::yellow: return "33";
    case colour::bold: return "1";
  }
  return "0";
}

}  // namespace

bool is_terminal(stream where) { return ::isatty(descriptor_of(where)) == 1; }

int columns(stream where) {
  winsize size{};
  if (is_terminal(where) && ::ioctl(descriptor_of(where), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return usual_columns;
}

bool colour_is_wanted(stream where) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (refused != nullptr && *refused != '\0') return false;
  return is_terminal(where) && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string coloured(std::string_view text, colour hue, stream where) {
  if (!colour_is_wanted(where)) return std::string(text);
  return "\x1b[" + std::string(code_of(hue)) + "m" + std::string(text) + "\x1b[0m";
}

std::string progress_line(std::string_view label, double part, std::chrono::duration<double> elapsed) {
  const auto filled = static_cast<std::size_t>(part * bar_width);
  std::string line(label);
  line += " [" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "] ";
  const std::string percent = std::to_string(static_cast<int>(part * 100));
  line += std::string(3 - percent.size(), ' ') + percent + " %";
  if (elapsed < first_estimate || part < least_estimated) return line;
  const auto left = std::llround(elapsed.count() * (1 - part) / part);
  return line + ", " +
         (left < 100 ? std::to_string(left) + " s" : std::to_string((left + 59) / 60) + " min") + " left";
}

progress_bar::progress_bar(std::string label, std::uint64_t total, bool quiet)
    : label_(std::move(label)), total_(total), is_on_(!quiet && total > 0 && is_terminal(stream::error)) {}

progress_bar::~progress_bar() {
  if (is_on_ && last_ != std::chrono::steady_clock::time_point{}) std::fputs("\r\x1b[K", stderr);
}

void progress_bar::show(std::uint64_t done) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_on_ || now - last_ < redraw_interval) return;
  last_ = now;
  const double part = static_cast<double>(done) / static_cast<double>(total_);
  std::fprintf(stderr, "\r\x1b[K%s", progress_line(label_, part, now - begin_).c_str());
  std::fflush(stderr);
}

}  // namespace ropewalk::output
