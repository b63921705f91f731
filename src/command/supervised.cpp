#include "command/supervised.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <system_error>

namespace ropewalk::command {
namespace {

volatile std::sig_atomic_t supervised_child = 0;

/// Forwards signals that a process sent. Signals from the terminal reach the child without forwarding.
extern "C" void hand_on(int signal, siginfo_t* origin, void*) {
  if (origin->si_code != SI_KERNEL) ::kill(static_cast<pid_t>(supervised_child), signal);
}

constexpr std::array handed_on{SIGINT, SIGTERM, SIGHUP};

void hand_signals_on() {
  for (const int signal : handed_on) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction wanted {};
    wanted.sa_sigaction = hand_on;
    wanted.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(signal, &wanted, nullptr);
  }
}

[[noreturn]] void fail(const char* action) {
  throw std::system_error(errno, std::generic_category(), action);
}

exit_code outcome_of(pid_t child, int done) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("waiting for the process that runs the kernels");
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    std::raise(WTERMSIG(status));
  }
  char mark = 0;
  const bool is_done = ::read(done, &mark, 1) == 1;
  if (WEXITSTATUS(status) != 0 || is_done) return static_cast<exit_code>(WEXITSTATUS(status));
  std::cerr << "ropewalk: a kernel ended the program before it was judged\n";
  return exit_code::fails;
}

}  // namespace

exit_code run_supervised(const std::function<exit_code()>& work) {
  std::cout.flush();
  std::cerr.flush();
  int ends[2];
  // Non-blocking: a process that outlives the child may still hold the write end open.
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) fail("creating a pipe");
  // A signal that comes before the parent can hand it on waits.
  sigset_t waiting, before;
  ::sigemptyset(&waiting);
  for (const int signal : handed_on) ::sigaddset(&waiting, signal);
  ::sigprocmask(SIG_BLOCK, &waiting, &before);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child > 0) {
    supervised_child = child;
    hand_signals_on();
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) fail("starting the process that runs the kernels");
  if (child > 0) {
    ::close(ends[1]);
    return outcome_of(child, ends[0]);
  }
  ::close(ends[0]);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent has already ended
  const exit_code code = work();
  std::cout.flush();
  const char mark = 1;
  if (::write(ends[1], &mark, 1) != 1) return exit_code::fails;
  return code;
}

}  // namespace ropewalk::command
