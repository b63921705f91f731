// What a library's process may not do to another process of its user. Each of it is possible before.

#include "transport/confinement.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace ropewalk::transport::confinement_test {
namespace {

char remembered = 'r';  // stands at the same address in the other process
constexpr int no_signal = 0;

bool queues(long call, pid_t to) {
  siginfo_t about{};
  about.si_code = SI_QUEUE;
  about.si_pid = ::getpid();
  about.si_uid = ::getuid();
  return (call == SYS_rt_sigqueueinfo ? ::syscall(call, to, no_signal, &about)
                                      : ::syscall(call, to, to, no_signal, &about)) == 0;
}

bool opens(pid_t process, const char* name, int how) {
  return ::open(("/proc/" + std::to_string(process) + "/" + name).c_str(), how) >= 0;
}

struct attempt {
  const char* name;
  bool (*succeeds)(pid_t process);
};

const attempt attempts[] = {
    {"kill", [](pid_t process) { return ::kill(process, no_signal) == 0; }},
    {"tkill", [](pid_t process) { return ::syscall(SYS_tkill, process, no_signal) == 0; }},
    {"tgkill", [](pid_t process) { return ::syscall(SYS_tgkill, process, process, no_signal) == 0; }},
    {"rt_sigqueueinfo", [](pid_t process) { return queues(SYS_rt_sigqueueinfo, process); }},
    {"rt_tgsigqueueinfo", [](pid_t process) { return queues(SYS_rt_tgsigqueueinfo, process); }},
    {"pidfd_send_signal",
     [](pid_t child) {
       const auto process = ::syscall(SYS_pidfd_open, child, 0);
       return ::syscall(SYS_pidfd_send_signal, process, no_signal, nullptr, 0) == 0;
     }},
    {"F_SETOWN",
     [](pid_t process) {
       int ends[2];
       return ::pipe(ends) == 0 && ::fcntl(ends[0], F_SETOWN, process) == 0;
     }},
    {"F_SETSIG",
     [](pid_t) {
       int ends[2];
       return ::pipe(ends) == 0 && ::fcntl(ends[0], F_SETSIG, SIGURG) == 0;
     }},
    {"setpgid", [](pid_t) { return ::setpgid(0, 0) == 0; }},
    {"prlimit", [](pid_t process) { return ::prlimit(process, RLIMIT_CORE, nullptr, nullptr) == 0; }},
    {"setpriority",
     [](pid_t process) { return ::setpriority(PRIO_PROCESS, static_cast<id_t>(process), 19) == 0; }},
    {"setpriority of a user", [](pid_t) { return ::setpriority(PRIO_USER, 0, 19) == 0; }},
    {"ioprio_set of a group",
     [](pid_t) {
       constexpr int a_group = 2, idle = 3 << 13;
       return ::syscall(SYS_ioprio_set, a_group, 0, idle) == 0;
     }},
    {"sched_setscheduler",
     [](pid_t process) {
       const sched_param none{};
       return ::sched_setscheduler(process, SCHED_BATCH, &none) == 0;
     }},
};

/// What a machine with Yama's ptrace_scope forbids to everybody.
const attempt looks[] = {
    {"process_vm_readv",
     [](pid_t process) {
       char byte = 0;
       const iovec here{&byte, 1}, there{&remembered, 1};
       return ::process_vm_readv(process, &here, 1, &there, 1, 0) == 1;
     }},
    {"process_vm_writev",
     [](pid_t process) {
       char byte = 'w';
       const iovec here{&byte, 1}, there{&remembered, 1};
       return ::process_vm_writev(process, &here, 1, &there, 1, 0) == 1;
     }},
    {"pidfd_getfd",
     [](pid_t process) {
       return ::syscall(SYS_pidfd_getfd, ::syscall(SYS_pidfd_open, process, 0), 0, 0) >= 0;
     }},
    {"ptrace",
     [](pid_t process) {
       return ::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0 &&
              ::ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr) == 0 &&
              ::waitpid(process, nullptr, __WALL) == process &&
              ::ptrace(PTRACE_DETACH, process, nullptr, nullptr) == 0;
     }},
};

/// What a machine without Landlock allows, too.
const attempt openings[] = {
    {"mem", [](pid_t process) { return opens(process, "mem", O_RDONLY); }},
    {"environ", [](pid_t process) { return opens(process, "environ", O_RDONLY); }},
    {"fd/0", [](pid_t process) { return opens(process, "fd/0", O_RDONLY); }},
};

bool has_landlock() {
  constexpr long create_ruleset = 444;
  constexpr unsigned ask_version = 1;
  return ::syscall(create_ruleset, nullptr, 0, ask_version) >= 2;
}

bool has_yama() {
  int scope = 0;
  std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
  return scope > 0;
}

/// An ordinary user, whose process another of that user may look into.
void become_ordinary() {
  constexpr unsigned nobody = 65534;
  if (::getuid() == 0 &&
      (::setresgid(nobody, nobody, nobody) != 0 || ::setresuid(nobody, nobody, nobody) != 0))
    ::_exit(2);
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/// What `work` writes in another process, of an ordinary user, beside a third one of that user.
template <class Work>
std::string said_beside_another(Work work) {
  int ready[2], said[2];
  EXPECT_EQ(::pipe(ready), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    become_ordinary();
    static_cast<void>(::write(ready[1], "x", 1));
    for (;;) ::pause();
  }
  char letter = 0;
  EXPECT_EQ(::read(ready[0], &letter, 1), 1);
  EXPECT_EQ(::pipe(said), 0);
  const pid_t process = ::fork();
  if (process == 0) {
    become_ordinary();
    const std::string words = work(other);
    static_cast<void>(::write(said[1], words.data(), words.size()));
    ::_exit(0);
  }
  ::close(said[1]);
  std::string text;
  while (::read(said[0], &letter, 1) == 1) text += letter;
  for (const int end : {ready[0], ready[1], said[0]}) ::close(end);
  int status = 0;
  EXPECT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
  ::kill(other, SIGKILL);
  EXPECT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the other process ended before";
  return text;
}

template <std::size_t count>
std::string succeeding(const attempt (&tried)[count], pid_t process) {
  std::string text;
  for (const attempt& attempt : tried)
    if (attempt.succeeds(process)) text += std::string(attempt.name) + " ";
  return text;
}

template <std::size_t count>
std::string all(const attempt (&tried)[count]) {
  std::string text;
  for (const attempt& attempt : tried) text += std::string(attempt.name) + " ";
  return text;
}

template <std::size_t count>
std::string before(const attempt (&tried)[count]) {
  return said_beside_another([&](pid_t other) { return succeeding(tried, other); });
}

template <std::size_t count>
std::string after(const attempt (&tried)[count]) {
  return said_beside_another([&](pid_t other) {
    const std::string missing = confine_this_process();
    return missing + succeeding(tried, other);
  });
}

TEST(Confinement, AllowsNoSignalLimitOrGroupOfAnotherProcess) {
  EXPECT_EQ(before(attempts), all(attempts));
  EXPECT_EQ(after(attempts), "");
}

TEST(Confinement, AllowsNoChangeOfATerminal) {
  const auto refused = [](bool is_confined) {
    return said_beside_another([=](pid_t) -> std::string {
      const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
      if (terminal < 0) return "no terminal";
      if (is_confined && !confine_this_process().empty()) return "confined";
      termios settings{};
      winsize size{};
      if (::ioctl(terminal, TCGETS, &settings) != 0) return "TCGETS";
      std::string text;
      const auto ask = [&](const char* name, unsigned long call, auto argument) {
        if (::ioctl(terminal, call, argument) != 0 && errno == EPERM) text += std::string(name) + " ";
      };
      ask("TCSETS", TCSETS, &settings);
      ask("TIOCSWINSZ", TIOCSWINSZ, &size);
      ask("TCFLSH", TCFLSH, 0);
      ask("TIOCEXCL", TIOCEXCL, 0);
      ask("TCXONC", TCXONC, TCOON);
      return text;
    });
  };
  EXPECT_EQ(refused(false), "");
  EXPECT_EQ(refused(true), "TCSETS TIOCSWINSZ TCFLSH TIOCEXCL TCXONC ");
}

TEST(Confinement, AllowsNoLookIntoAnotherProcess) {
  if (!has_yama()) {
    EXPECT_EQ(before(looks), all(looks));
    EXPECT_EQ(before(openings), all(openings));
  }
  EXPECT_EQ(after(looks), "");
  if (!has_landlock()) GTEST_SKIP() << "no Landlock here";
  EXPECT_EQ(after(openings), "");
}

TEST(Confinement, LeavesAProcessWhatItDoesToItself) {
  EXPECT_EQ(said_beside_another([](pid_t) -> std::string {
              if (!confine_this_process().empty()) return "confined";
              const pid_t self = ::getpid();
              if (::kill(self, no_signal) != 0) return "kill";
              if (::syscall(SYS_tgkill, self, self, no_signal) != 0) return "tgkill";
              if (::prlimit(0, RLIMIT_CORE, nullptr, nullptr) != 0) return "prlimit";
              if (::setpriority(PRIO_PROCESS, 0, 19) != 0) return "setpriority";
              if (!opens(self, "mem", O_RDONLY)) return "mem";
              const pid_t child = ::fork();
              if (child == 0) ::_exit(7);
              int status = 0;
              return ::waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7 ? "" : "fork";
            }),
            "");
}

TEST(Confinement, LeavesAProcessItsFiles) {
  const std::string name =
      std::filesystem::temp_directory_path() / ("ropewalk-confined-" + std::to_string(::getpid()));
  std::filesystem::create_directories(name + "/one");
  std::filesystem::create_directories(name + "/two");
  for (const char* directory : {"", "/one", "/two"})
    std::filesystem::permissions(name + directory, std::filesystem::perms::all);
  EXPECT_EQ(said_beside_another([&](pid_t) -> std::string {
              if (!confine_this_process().empty()) return "confined";
              std::ofstream(name + "/one/file") << "text";
              if (::rename((name + "/one/file").c_str(), (name + "/two/file").c_str()) != 0)
                return std::strerror(errno);
              std::ifstream in(name + "/two/file");
              std::string word;
              in >> word;
              return word == "text" ? "" : "its text";
            }),
            "");
  std::filesystem::remove_all(name);
}

TEST(Confinement, LeavesRootTheReadingOfFilesAlone) {
  if (::getuid() != 0) GTEST_SKIP() << "root alone has capabilities";
  int said[2];
  ASSERT_EQ(::pipe(said), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::string words = confine_this_process();
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("Cap")) words += line + "\n";
    static_cast<void>(::write(said[1], words.data(), words.size()));
    ::_exit(0);
  }
  ::close(said[1]);
  std::string words;
  char letter = 0;
  while (::read(said[0], &letter, 1) == 1) words += letter;
  ::close(said[0]);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string none = "0000000000000000\n", reading = "0000000000000004\n";  // CAP_DAC_READ_SEARCH is 2
  EXPECT_EQ(words, "CapInh:\t" + none + "CapPrm:\t" + reading + "CapEff:\t" + reading + "CapBnd:\t" + none +
                       "CapAmb:\t" + none);
}

TEST(HiddenMemory, IsNotOpenedByAnotherProcess) {
  if (is_sanitized) GTEST_SKIP() << "a build with sanitizers hides nothing: they attach to their own process";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const auto opened = [&](bool is_hidden) {
    const pid_t child = ::fork();
    if (child == 0) {
      become_ordinary();
      if (is_hidden) hide_memory();
      static_cast<void>(::write(ready[1], "x", 1));
      for (;;) ::pause();
    }
    char letter = 0;
    EXPECT_EQ(::read(ready[0], &letter, 1), 1);
    const pid_t looking = ::fork();
    if (looking == 0) {
      become_ordinary();
      ::_exit(opens(child, "mem", O_RDONLY) ? 1 : 0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(looking, &status, 0), looking);
    ::kill(child, SIGKILL);
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
    return WEXITSTATUS(status);
  };
  if (!has_yama()) {
    EXPECT_EQ(opened(false), 1);
  }
  EXPECT_EQ(opened(true), 0);
  for (const int index : ready) ::close(index);
}

}  // namespace
}  // namespace ropewalk::transport::confinement_test
