#include "transport/process_state.hpp"

#include <fmt/format.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <cstddef>
#include <cstdio>

namespace ropewalk::transport {
namespace {

void* handler_of(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<void*>(action.sa_sigaction)
                                             : reinterpret_cast<void*>(action.sa_handler);
}

std::string text_of_environment() {
  std::string text;
  for (char** letter = ::environ; letter != nullptr && *letter != nullptr; ++letter)
    text += *letter + std::string(1, '\n');
  return text;
}

}  // namespace

process_state::process_state() {
  for (int signal = 1; signal < signals; ++signal)
    handlers_[static_cast<std::size_t>(signal)] = handler_of(signal);
  ::sigprocmask(SIG_SETMASK, nullptr, &mask_);
  locale_ = std::setlocale(LC_ALL, nullptr);
  struct stat status {};
  if (::stat(".", &status) == 0) directory_ = {status.st_dev, status.st_ino};
  umask_ = ::umask(0);
  ::umask(umask_);
  environment_ = text_of_environment();
  for (std::size_t stream = 0; stream < streams_.size(); ++stream)
    if (::fstat(static_cast<int>(stream), &status) == 0) streams_[stream] = {status.st_dev, status.st_ino};
  buffering_ = {::__fbufsize(stdout) == 1, ::__flbf(stdout) != 0};  // a buffer in use has more than one byte
  ::sched_getaffinity(0, sizeof processors_, &processors_);
}

std::string process_state::difference_from(const process_state& before) const {
  for (int signal = 1; signal < signals; ++signal) {
    const auto place = static_cast<std::size_t>(signal);
    if (handlers_[place] != before.handlers_[place])
      return fmt::format("the handler of signal {} (SIG{})", signal, ::sigabbrev_np(signal));
  }
  for (int signal = 1; signal < signals; ++signal)
    if (::sigismember(&mask_, signal) != ::sigismember(&before.mask_, signal))
      return fmt::format("whether signal {} (SIG{}) is blocked", signal, ::sigabbrev_np(signal));
  if (locale_ != before.locale_) return fmt::format("the locale, from {} to {}", before.locale_, locale_);
  if (directory_ != before.directory_) return "the working directory";
  if (umask_ != before.umask_) return fmt::format("the umask, from {:03o} to {:03o}", before.umask_, umask_);
  if (environment_ != before.environment_) return "the environment variables";
  for (std::size_t stream = 0; stream < streams_.size(); ++stream)
    if (streams_[stream] != before.streams_[stream])
      return fmt::format("the target of standard {}", stream == 0   ? "input"
                                                      : stream == 1 ? "output"
                                                                    : "error");
  if (buffering_ != before.buffering_) return "the buffering of standard output";
  if (!CPU_EQUAL(&processors_, &before.processors_)) return "the processors that its thread may use";
  return {};
}

}  // namespace ropewalk::transport
