#include "transport/child.hpp"

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

#include "transport/confinement.hpp"
#include "transport/system_failure.hpp"

namespace ropewalk::transport {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_looks{100};    // for an interrupt by the user
constexpr milliseconds between_reaps{50};     // of orphaned processes of a child
constexpr milliseconds time_to_end{2000};     // for a child after its input is closed
constexpr milliseconds time_to_kill{4000};    // then, for the watcher to end the child's processes
constexpr milliseconds time_to_report{1000};  // for the watcher to report how a child ended

struct pipe_ends {
  int read = -1;
  int write = -1;
};

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

/// The watcher's descriptors, after closing all others.
enum watcher_descriptor : int {
  child_input = 3,
  child_output,
  life,
  reports,
  leave,        // the child runs its program once this is readable
  given_leave,  // the other end
  shared,
  errors,
  first_unused
};
constexpr std::size_t kept_descriptors = first_unused - child_input;

constexpr int most_files = 1 << 16;

/// Steps of the watcher and the child before the child runs its program.
enum class setup_step : std::int32_t { keep_descriptors, start, give_descriptors, run };

/// Reports from the watcher, and from the child before it runs its program.
struct child_report {
  enum class kind : std::int32_t { started, could_not, ended };
  kind what = kind::started;
  setup_step doing = setup_step::start;  // for could_not
  int value = 0;                         // the child's process ID, errno, or a status from waitpid
};

void report_to_parent(int to, const child_report& report) {
  [[maybe_unused]] const ssize_t written = ::write(to, &report, sizeof report);
}

/// Reports the failed step and errno, and exits.
[[noreturn]] void give_up(int to, setup_step doing) noexcept {
  report_to_parent(to, {child_report::kind::could_not, doing, errno});
  ::_exit(1);
}

/// Moves descriptors to child_input and the following numbers, skips those that are -1, and closes all
/// others.
void keep_only(const std::array<int, kept_descriptors>& wanted) {
  const int to = wanted[reports - child_input];
  std::array<int, kept_descriptors> high{};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    high[i] = wanted[i] < 0 ? -1 : ::fcntl(wanted[i], F_DUPFD_CLOEXEC, static_cast<int>(first_unused));
    if (wanted[i] < 0 || high[i] >= 0) continue;
    if (errno == EINVAL) errno = EMFILE;  // the limit is below first_unused
    give_up(to, setup_step::keep_descriptors);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const int place = child_input + static_cast<int>(i);
    if (high[i] < 0)
      ::close(place);
    else if (::dup3(high[i], place, O_CLOEXEC) < 0)
      give_up(high[reports - child_input], setup_step::keep_descriptors);
  }
  if (::syscall(SYS_close_range, static_cast<unsigned>(first_unused), ~0U, 0U) == 0) return;
  rlimit files{};  // an older kernel, or the call is refused
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

[[noreturn]] void run_program(char* const* words, pid_t watcher, std::uint64_t memory) {
  ::setsid();  // also leaves the terminal
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != watcher) ::_exit(1);
  ::close(given_leave);
  std::byte byte{};
  while (::read(leave, &byte, 1) < 0 && errno == EINTR) {
  }
  take_default_signals();
  set_limits(memory);
  // memory_descriptor is child_input, so it is moved last.
  const std::array<std::array<int, 2>, 4> moves{{{child_input, STDIN_FILENO},
                                                 {child_output, STDOUT_FILENO},
                                                 {errors, STDERR_FILENO},
                                                 {shared, memory_descriptor}}};
  for (const auto& [from, place] : moves) {
    const bool is_left_out = (from == errors || from == shared) && ::fcntl(from, F_GETFD) < 0;
    if (!is_left_out && ::dup2(from, place) < 0) give_up(reports, setup_step::give_descriptors);
  }
  ::execv(words[0], words);
  give_up(reports, setup_step::run);
}

/// Sends SIGKILL to the children of this process.
void kill_own_children() {
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  std::array<char, 4096> text{};
  const ssize_t length = ::read(list, text.data(), text.size());
  ::close(list);
  pid_t process = 0;
  for (ssize_t i = 0; i < length; ++i) {
    const char at = text[static_cast<std::size_t>(i)];
    if (at >= '0' && at <= '9') {
      process = process * 10 + (at - '0');
    } else {
      if (process > 0) ::kill(process, SIGKILL);
      process = 0;
    }
  }
}

/// Ends the processes that a child left behind: its group, and those that left it, which became children of
/// this process. False if they start others faster than they are ended.
bool end_all_of(pid_t group) {
  for (const auto until = monotonic_clock::now() + time_to_kill / 2; monotonic_clock::now() < until;) {
    ::kill(-group, SIGKILL);
    kill_own_children();
    pid_t gone = 0;
    while (monotonic_clock::now() < until && (gone = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (gone < 0 && errno == ECHILD) return true;
    ::poll(nullptr, 0, 1);
  }
  return false;
}

constexpr int left_some_behind = 2;  // exit code of a watcher

/// Waits for the end of the child or of this program, then kills the processes that the child left behind.
[[noreturn]] void watch(char* const* words, std::uint64_t memory) {
  ::setpgid(0, 0);  // Ctrl-C is for the program, which may still send requests
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGPIPE, SIG_IGN);
  const pid_t self = ::getpid(), started = ::fork();
  if (started == 0) run_program(words, self, memory);
  if (started < 0) give_up(reports, setup_step::start);
  for (const int unused : {child_input, child_output, leave, shared, errors}) ::close(unused);
  report_to_parent(reports, {child_report::kind::started, setup_step::start, started});
  ::close(given_leave);
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, started, 0));
  pollfd either[] = {{life, POLLIN, 0}, {ended, POLLIN, 0}};
  int status = 0;
  bool has_ended = false;
  // Orphans of the child must be reaped here, or they fill the process table.
  const auto reap = [&] {
    int index = 0;
    for (pid_t gone = 0; (gone = ::waitpid(-1, &index, WNOHANG)) > 0;)
      if (gone == started) status = index, has_ended = true;
  };
  for (int ready = 0; !has_ended && ready <= 0;) {
    ready = ::poll(either, 2, static_cast<int>(between_reaps.count()));
    if (ready <= 0) reap();
  }
  if (!has_ended && either[1].revents == 0)  // its group may not exist yet
    for (const pid_t process : {started, -started}) ::kill(process, SIGKILL);
  while (!has_ended && ::waitpid(started, &status, 0) < 0 && errno == EINTR) {
  }
  report_to_parent(reports, {child_report::kind::ended, setup_step::run, status});
  ::_exit(end_all_of(started) ? 0 : left_some_behind);
}

/// Waits for the watcher to end; false if it is still running after that time.
bool ends_within(pid_t watcher, milliseconds time) {
  const auto until = monotonic_clock::now() + time;
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(watcher, &status, WNOHANG);
    if (ended == watcher && WIFEXITED(status) && WEXITSTATUS(status) == left_some_behind)
      processes_outlive = true;
    if (ended == watcher || (ended < 0 && errno != EINTR)) return true;
    if (monotonic_clock::now() >= until) return false;
    ::poll(nullptr, 0, 1);
  }
}

/// throws  machine_shortage: the child was not set up
[[noreturn]] void fail_as_reported(const child_report& report, const std::string& program) {
  errno = report.value;
  switch (report.doing) {
    case setup_step::keep_descriptors: fail("keeping descriptors for a kernel's process");
    case setup_step::start: fail("starting a kernel's process");
    case setup_step::give_descriptors: fail("giving a kernel's process its descriptors");
    case setup_step::run: break;
  }
  fail("starting a kernel's process, " + program);
}

/// The next report; nullopt if there is none, for example because the child ended its watcher.
std::optional<child_report> next_report(int from) {
  child_report report;
  ssize_t came = 0;
  while ((came = ::read(from, &report, sizeof report)) < 0 && errno == EINTR) {
  }
  if (came != static_cast<ssize_t>(sizeof report)) return std::nullopt;
  return report;
}

}  // namespace

child::child(const child_program& program, const child_limits& limits)
    : limits_(limits), program_(program.words.front()) {
  std::signal(SIGPIPE, SIG_IGN);  // so that writing to an ended child is an error
  hide_memory();
  std::vector<char*> words;
  for (const std::string& word : program.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pipe_ends in = new_pipe(), out = new_pipe(), alive = new_pipe(), ends = new_pipe(), may = new_pipe();
  watcher_ = ::fork();
  if (watcher_ == 0) {
    keep_only(
        {in.read, out.write, alive.read, ends.write, may.read, may.write, program.memory, program.errors});
    watch(words.data(), limits.memory);
  }
  const int error = errno;
  for (int* const others : {&in.read, &out.write, &alive.read, &ends.write, &may.read, &may.write})
    close_if_open(*others);
  to_ = in.write, from_ = out.read, life_ = alive.write, count_ = ends.read;
  if (watcher_ < 0) {
    for (int* const own : {&to_, &from_, &life_, &count_}) close_if_open(*own);
    errno = error;
    fail("starting a kernel's process");
  }
  for (const int own : {to_, from_}) ::fcntl(own, F_SETFL, O_NONBLOCK);
  const std::optional<child_report> first = next_report(count_);
  if (!first || first->what != child_report::kind::started) {
    end();
    if (first) fail_as_reported(*first, program_);
    throw machine_shortage(std::string("starting a kernel's process: its watcher ended") + of_this_machine);
  }
  started_ = first->value;
  counted_.emplace(started_);
}

child::~child() { end(); }

void child::end() {
  close_if_open(to_);
  pollfd ended{count_, POLLIN, 0};
  const bool is_hurried = is_silent_ || (limits_.is_interrupted != nullptr && *limits_.is_interrupted);
  if (!is_hurried) ::poll(&ended, 1, static_cast<int>(time_to_end.count()));
  close_if_open(life_);
  if (!ends_within(watcher_, time_to_kill)) {  // the child may have stopped its watcher
    if (started_ > 0) ::kill(-started_, SIGKILL);
    ::kill(watcher_, SIGKILL);
    while (::waitpid(watcher_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close_if_open(from_);
  close_if_open(count_);
}

void child::wait_for(int descriptor, short events, const deadline& until) const {
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(until.at - monotonic_clock::now());
    is_silent_ = left.count() <= 0;
    if (is_silent_) throw no_answer("gave no answer in " + std::to_string(until.limit.count()) + " s", true);
    if (limits_.is_interrupted != nullptr && *limits_.is_interrupted) throw interrupted_wait();
    if (monotonic_clock::now() >= end_of_waiting.load()) {
      is_silent_ = true;
      throw budget_is_over();
    }
    // The watcher's end reveals that a child ended while another process keeps its output open.
    pollfd either[] = {{descriptor, events, 0}, {count_, POLLIN, 0}};
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
  if (came > 0) throw no_answer("wrote bytes that no request asked for");
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

std::optional<int> child::status() const {
  pollfd pollfd{count_, POLLIN, 0};
  if (status_ || ::poll(&pollfd, 1, static_cast<int>(time_to_report.count())) <= 0) return status_;
  const std::optional<child_report> came = next_report(count_);
  if (came && came->what == child_report::kind::could_not) fail_as_reported(*came, program_);
  if (came) status_ = came->value;
  return status_;
}

int child::wait_for_end(const deadline& until) {
  close_if_open(to_);
  wait_for(count_, POLLIN, until);
  const std::optional<int> ended = status();
  return ended && WIFEXITED(*ended) ? WEXITSTATUS(*ended) : -1;
}

std::string child::how_it_ended() const {
  const std::optional<int> ended = status();
  if (!ended) return "closed its output";
  if (WIFSIGNALED(*ended)) {
    const int signal = WTERMSIG(*ended);
    const char* const name = ::sigabbrev_np(signal);
    return "was ended by signal " + std::to_string(signal) +
           (name != nullptr ? std::string(" (SIG") + name + ")" : std::string());
  }
  return "ended with exit code " + std::to_string(WEXITSTATUS(*ended));
}

}  // namespace ropewalk::transport
