// What a library may not change in its process: each change is named. And what it prints.

#include "transport/process_state.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "transport/printed_bytes.hpp"

namespace ropewalk::transport::process_state_test {
namespace {

/// What a change does to the state of another process, which ends after it.
std::string named_after(const std::function<void()>& change) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const process_state before;
    change();
    const std::string name = process_state().difference_from(before);
    static_cast<void>(::write(ends[1], name.data(), name.size()));
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string named;
  char letter = 0;
  while (::read(ends[0], &letter, 1) == 1) named += letter;
  ::close(ends[0]);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  return named;
}

TEST(ProcessState, NamesWhatChanged) {
  EXPECT_EQ(named_after([] {}), "");
  EXPECT_EQ(named_after([] { ::signal(SIGUSR1, SIG_IGN); }), "the handler of signal 10 (SIGUSR1)");
  EXPECT_EQ(named_after([] { ::signal(SIGSYS, SIG_IGN); }), "the handler of signal 31 (SIGSYS)");
  EXPECT_EQ(named_after([] {
              sigset_t set;
              ::sigemptyset(&set);
              ::sigaddset(&set, SIGINT);
              ::sigprocmask(SIG_BLOCK, &set, nullptr);
            }),
            "whether signal 2 (SIGINT) is blocked");
  EXPECT_EQ(named_after([] { std::setlocale(LC_ALL, "C.UTF-8"); }), "the locale, from C to C.UTF-8");
  EXPECT_EQ(named_after([] { static_cast<void>(::chdir("/")); }), "the working directory");
  EXPECT_EQ(named_after([] { ::umask(::umask(0) ^ 077); }).substr(0, 10), "the umask,");
  EXPECT_EQ(named_after([] { ::setenv("ROPEWALK_SOME_NAME", "x", 1); }), "the environment variables");
  EXPECT_EQ(named_after([] { ::dup2(::open("/dev/full", O_WRONLY), 2); }), "the target of standard error");
  EXPECT_EQ(named_after([] { ::dup2(::open("/dev/full", O_RDWR), 0); }), "the target of standard input");
  EXPECT_EQ(named_after([] { std::setvbuf(stdout, nullptr, _IONBF, 0); }),
            "the buffering of standard output");
}

TEST(ProcessState, NamesTheProcessorsOfAThread) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one processor";
  EXPECT_EQ(named_after([&] {
              cpu_set_t t;
              CPU_ZERO(&t);
              for (std::size_t i = 0; CPU_COUNT(&t) == 0; ++i)
                if (CPU_ISSET(i, &all)) CPU_SET(i, &t);
              ::sched_setaffinity(0, sizeof t, &t);
            }),
            "the processors that its thread may use");
}

TEST(PrintedBytes, ArePassedOnOnce) {
  printed_bytes printed;
  testing::internal::CaptureStderr();
  ASSERT_EQ(::write(printed.descriptor(), "abc", 3), 3);
  printed.pass_on();
  printed.pass_on();
  ASSERT_EQ(::write(printed.descriptor(), "de", 2), 2);
  printed.pass_on();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "abcde");
  EXPECT_EQ(printed.count(), 5);
}

TEST(PrintedBytes, ReachATerminalWithoutControlCharacters) {
  printed_bytes printed;
  testing::internal::CaptureStderr();
  const std::string text = "a\x1b[2J\x1b]0;title\a\b\x7f\ttab\r\n\xc2\xb5";
  ASSERT_EQ(::write(printed.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  printed.pass_on();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a?[2J?]0;title???\ttab\r\n\xc2\xb5");
}

}  // namespace
}  // namespace ropewalk::transport::process_state_test
