#include "search/judging.hpp"

#include <unistd.h>

#include <csignal>
#include <cstddef>

namespace ropewalk::search {
namespace {

// What this thread is judging; a signal handler may read it, for a crash is the thread's own.
thread_local const char* judged_kernel = nullptr;
thread_local std::string_view judged_law;

void say(std::string_view words) {
  while (!words.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
    if (written <= 0) return;
    words.remove_prefix(static_cast<std::size_t>(written));
  }
}

extern "C" void name_kernel_and_crash(int signal) {
  if (judged_kernel != nullptr) {
    say("ropewalk: crashed while judging ");
    say(judged_kernel);
    say(" (");
    say(judged_law);
    say(")\n");
  }
  ::raise(signal);  // the default action stands again, and takes it once this handler returns
}

}  // namespace

judging::judging(const char* kernel, std::string_view law) {
  judged_law = law;
  judged_kernel = kernel;
}

judging::~judging() { judged_kernel = nullptr; }

void name_kernel_on_crash() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction wanted {};
    wanted.sa_handler = name_kernel_and_crash;
    wanted.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &wanted, nullptr);
  }
}

}  // namespace ropewalk::search
