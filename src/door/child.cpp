#include "door/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace ropewalk::door {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_looks{100};    // at whether the user has interrupted
constexpr milliseconds time_to_end{2000};     // that a child has after its input was closed
constexpr milliseconds time_to_report{1000};  // that the watcher has to say how a child ended

struct pipe_ends {
  int read = -1;
  int write = -1;
};

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

pipe_ends new_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("creating a pipe");
  return {ends[0], ends[1]};
}

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// ---- In the watcher and the child. Between fork and exec, only async-signal-safe functions are called:
// another thread of this program may have held any lock. ----

/// The watcher's descriptors, after all others have been closed.
enum watcher_descriptor : int { child_input = 3, child_output, life, report, first_unused };

constexpr int most_files = 1 << 16;

/// Moves four descriptors to 3, 4, 5 and 6, and closes all above them.
void keep_only(const std::array<int, 4>& wanted) {
  std::array<int, 4> high{};
  for (std::size_t i = 0; i < wanted.size(); ++i) high[i] = ::fcntl(wanted[i], F_DUPFD_CLOEXEC, 64);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ::dup3(high[i], child_input + static_cast<int>(i), O_CLOEXEC);
  if (::syscall(SYS_close_range, static_cast<unsigned>(first_unused), ~0U, 0U) == 0) return;
  rlimit files{};  // an older kernel, or one that refuses the call
  const bool is_known = ::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < most_files;
  const int last = is_known ? static_cast<int>(files.rlim_cur) : most_files;
  for (int other = first_unused; other < last; ++other) ::close(other);
}

void take_default_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
}

void set_limits(std::uint64_t memory) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (memory == 0) return;
  const rlimit data{memory, memory};
  ::setrlimit(RLIMIT_DATA, &data);
}

[[noreturn]] void run_command(const char* command, pid_t watcher, std::uint64_t memory) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != watcher) ::_exit(1);
  ::dup2(child_input, STDIN_FILENO);
  ::dup2(child_output, STDOUT_FILENO);
  take_default_signals();
  set_limits(memory);
  ::execl("/bin/sh", "sh", "-c", command, nullptr);
  ::_exit(127);
}

/// Waits for the end of the child, or of this program; then kills what is left of the child's group.
[[noreturn]] void watch(const char* command, std::uint64_t memory) {
  ::setpgid(0, 0);  // a Ctrl-C of the terminal is for the program, which may still ask
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  const pid_t self = ::getpid(), started = ::fork();
  if (started == 0) run_command(command, self, memory);
  ::close(child_input);
  ::close(child_output);
  if (started < 0) ::_exit(1);
  ::setpgid(started, started);
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, started, 0));
  pollfd either[] = {{life, POLLIN, 0}, {ended, POLLIN, 0}};
  while (::poll(either, 2, -1) < 0 && errno == EINTR) {
  }
  if (either[1].revents == 0) ::kill(-started, SIGKILL);
  int status = 0;
  while (::waitpid(started, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-started, SIGKILL);  // processes that the child left behind
  static_cast<void>(::write(report, &status, sizeof status));
  ::_exit(0);
}

}  // namespace

child::child(const std::string& command, const child_limits& limits) : limits_(limits) {
  std::signal(SIGPIPE, SIG_IGN);  // so that writing to a child that has ended is an error
  pipe_ends in = new_pipe(), out = new_pipe(), alive = new_pipe(), told = new_pipe();
  watcher_ = ::fork();
  if (watcher_ == 0) {
    keep_only({in.read, out.write, alive.read, told.write});
    watch(command.c_str(), limits.memory);
  }
  const int error = errno;
  for (int* const others : {&in.read, &out.write, &alive.read, &told.write}) close_if_open(*others);
  to_ = in.write, from_ = out.read, life_ = alive.write, status_ = told.read;
  if (watcher_ < 0) {
    for (int* const own : {&to_, &from_, &life_, &status_}) close_if_open(*own);
    errno = error;
    fail("starting a process");
  }
  for (const int own : {to_, from_}) ::fcntl(own, F_SETFL, O_NONBLOCK);
}

child::~child() {
  close_if_open(to_);
  pollfd ended{status_, POLLIN, 0};
  const bool is_hurried = limits_.is_interrupted != nullptr && *limits_.is_interrupted;
  if (!is_hurried) ::poll(&ended, 1, static_cast<int>(time_to_end.count()));
  close_if_open(life_);
  while (::waitpid(watcher_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close_if_open(from_);
  close_if_open(status_);
}

void child::wait_for(int descriptor, short events, const deadline& until) const {
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(until.at - door_clock::now());
    if (left.count() <= 0) throw no_answer("gave no answer in " + std::to_string(until.limit.count()) + " s");
    if (limits_.is_interrupted != nullptr && *limits_.is_interrupted) throw interrupted_wait();
    // The watcher's end tells of a child that has ended while another process holds its output open.
    pollfd either[] = {{descriptor, events, 0}, {status_, POLLIN, 0}};
    const int ready = ::poll(either, 2, static_cast<int>(std::min(left, between_looks).count()));
    if (ready < 0 && errno != EINTR) fail("waiting for a kernel's process");
    if (ready <= 0) continue;
    if (either[0].revents != 0) return;
    throw no_answer(how_it_ended());
  }
}

void child::require_silence() {
  std::byte unasked{};
  const ssize_t came = ::read(from_, &unasked, 1);
  if (came > 0) throw no_answer("wrote more than its answers");
  if (came == 0) throw no_answer(how_it_ended());
}

void child::send(std::span<const std::byte> bytes, const deadline& until) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to_, bytes.data(), bytes.size());
    if (written >= 0)
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    else if (errno == EAGAIN)
      wait_for(to_, POLLOUT, until);
    else if (errno != EINTR)
      throw no_answer(how_it_ended());
  }
}

void child::receive(std::span<std::byte> bytes, const deadline& until) {
  while (!bytes.empty()) {
    const ssize_t came = ::read(from_, bytes.data(), bytes.size());
    if (came > 0)
      bytes = bytes.subspan(static_cast<std::size_t>(came));
    else if (came == 0)
      throw no_answer(how_it_ended());
    else if (errno == EAGAIN)
      wait_for(from_, POLLIN, until);
    else if (errno != EINTR)
      throw no_answer(how_it_ended());
  }
}

std::string child::how_it_ended() const {
  pollfd told{status_, POLLIN, 0};
  int status = 0;
  if (::poll(&told, 1, static_cast<int>(time_to_report.count())) <= 0 ||
      ::read(status_, &status, sizeof status) != static_cast<ssize_t>(sizeof status))
    return "closed its output";
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(signal);
    return "was ended by signal " + std::to_string(signal) +
           (name != nullptr ? std::string(" (SIG") + name + ")" : std::string());
  }
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace ropewalk::door
