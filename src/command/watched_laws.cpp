#include "command/watched_laws.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "command/bound_domain.hpp"
#include "ropewalk/law/addition_laws.hpp"

namespace ropewalk::command {
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

template <const auto& Laws, std::size_t I>
measurement measure_watched(const held_kernel& kernel, const law_case& given) {
  struct watch {
    explicit watch(const char* name) {
      judged_law = Laws[I].name;
      judged_kernel = name;
    }
    ~watch() { judged_kernel = nullptr; }
  } const watch(kernel.name());
  try {
    return Laws[I].measure(kernel, given);
  } catch (const std::invalid_argument&) {
    if (missing_bound(kernel.promise(), given.dtype, kernel.nearest_attention()).empty()) throw;
    measurement m;
    m.declined = true;
    return m;
  }
}

template <const auto& Laws, std::size_t... I>
std::array<law, sizeof...(I)> all_watched(std::index_sequence<I...>) {
  std::array<law, sizeof...(I)> r{Laws[I]...};
  ((r[I].measure = measure_watched<Laws, I>), ...);
  return r;
}

/// The watched one of the list that a law stands in; nullptr where it does not.
template <const auto& Laws>
const law* watched_of(const law& of) {
  static const auto all = all_watched<Laws>(std::make_index_sequence<Laws.size()>());
  const auto at = std::find_if(Laws.begin(), Laws.end(), [&](const law& one) { return &one == &of; });
  return at == Laws.end() ? nullptr : &all[static_cast<std::size_t>(at - Laws.begin())];
}

}  // namespace

const law& watched(const law& of) {
  if (const law* one = watched_of<laws>(of)) return *one;
  if (const law* one = watched_of<addition_laws>(of)) return *one;
  return of;
}

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

}  // namespace ropewalk::command
