// Outputs appear whole or not at all.

#include "output/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "input/bad_input.hpp"

namespace ropewalk::output::output_file_test {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
 protected:
  OutputFile() {
    std::string name = "/tmp/ropewalk-output-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~OutputFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  static std::string text_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static std::string refusal(const std::string& file, std::size_t bytes = 1) {
    try {
      output_file output(file);
      output.write(std::string(bytes, 'x'));
      output.commit();
    } catch (const bad_input& error) {
      return error.what();
    }
    return "accepted";
  }

  /// Exit code of `act` in a process of its own, 100 and more for a signal.
  template <class Act>
  static int in_child(const Act& act) {
    const pid_t child = fork();
    if (child == 0) _exit(act());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  bool has_unnamed_files() const {
    const int file = open(folder_.c_str(), O_TMPFILE | O_WRONLY, 0600);
    return file >= 0 && close(file) == 0;
  }

  fs::path folder_;
};

/// The file system of this process has no files without a name, as NFS has none.
void forbid_unnamed_files() {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog all{std::size(steps), steps};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) != 0) _exit(99);
}

TEST_F(OutputFile, IsThereAfterCommitAlone) {
  {
    output_file output(path("a"));
    output.write("abc");
    EXPECT_FALSE(fs::exists(path("a")));
    output.write(std::string(200000, 'd'));
    output.finish();
    EXPECT_FALSE(fs::exists(path("a")));
    output.commit();
  }
  EXPECT_EQ(text_of(path("a")), "abc" + std::string(200000, 'd'));
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, LeavesNothingWhenItIsGivenUp) {
  { output_file(path("a")).write("abc"); }
  EXPECT_EQ(entries(), 0);
}

TEST_F(OutputFile, KeepsTheOlderFileUntilCommit) {
  std::ofstream(path("a")) << "older";
  { output_file(path("a")).write("newer"); }
  EXPECT_EQ(text_of(path("a")), "older");
}

TEST_F(OutputFile, KeepsPermissionsOfTheFileItReplaces) {
  std::ofstream(path("a")) << "older";
  chmod(path("a").c_str(), 0640);
  output_file output(path("a"));
  output.commit();
  struct stat status {};
  stat(path("a").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST_F(OutputFile, WritesThroughALink) {
  std::ofstream(path("a")) << "older";
  fs::create_symlink("a", path("link"));
  output_file output(path("link"));
  output.write("newer");
  output.commit();
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text_of(path("a")), "newer");
}

TEST_F(OutputFile, RefusesPlacesThatCannotHoldIt) {
  fs::create_symlink("nowhere", path("dangling"));
  EXPECT_TRUE(
      refusal(folder_.string()).starts_with("output is " + folder_.string() + " (a directory); allowed: "));
  EXPECT_TRUE(
      refusal(path("no/such/folder")).starts_with("output is " + path("no/such/folder") + " (No such file"));
  EXPECT_TRUE(
      refusal(path("dangling")).starts_with("output is " + path("dangling") + " (a dangling symbolic link)"));
  EXPECT_TRUE(refusal("").starts_with("output is  (empty); allowed: "));
  EXPECT_TRUE(refusal(path(std::string(300, 'n'))).starts_with("output is "));
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, WritesDevicesDirectly) {
  EXPECT_EQ(refusal("/dev/null"), "accepted");
  EXPECT_TRUE(refusal("/dev/full").starts_with("output is /dev/full (No space left on device); allowed: "));
  EXPECT_TRUE(output_file("/dev/null").is_direct());
}

TEST_F(OutputFile, WritesAPipeDirectly) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const pid_t child = fork();
  if (child == 0) _exit(text_of(path("pipe")) == "x" ? 0 : 1);
  EXPECT_EQ(refusal(path("pipe")), "accepted");
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(OutputFile, FullDeviceLeavesNothing) {
  // A limit on the size of files simulates a full device: the write fails half way.
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    install_cleanup_on_signals();
    _exit(refusal(path("a"), 150000).starts_with("output is " + path("a") + " (File too large); allowed: ")
              ? 0
              : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(entries(), 0);
}

TEST_F(OutputFile, InterruptedProgramLeavesNothing) {
  for (const bool has_to_have_a_name : {false, true})
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      const int code = in_child([&] {
        ::signal(signal, SIG_DFL);
        install_cleanup_on_signals();
        if (has_to_have_a_name) forbid_unnamed_files();
        output_file first(path("a")), second(path("b"));
        first.write(std::string(100000, 'x'));
        return raise(signal);
      });
      EXPECT_EQ(code, 100 + signal);
      EXPECT_EQ(entries(), 0);
    }
}

TEST_F(OutputFile, HasNoNameUntilCommit) {
  if (!has_unnamed_files()) GTEST_SKIP() << "this file system has no files without a name";
  output_file output(path("a"));
  output.write(std::string(200000, 'd'));
  EXPECT_EQ(entries(), 0);
  output.commit();
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, IsGoneWhenItsProgramIsKilled) {
  if (!has_unnamed_files()) GTEST_SKIP() << "this file system has no files without a name";
  std::ofstream(path("b")) << "older";
  EXPECT_EQ(in_child([&] {
              output_file first(path("a")), second(path("b"));
              first.write(std::string(200000, 'x'));
              second.write(std::string(200000, 'x'));
              second.finish();
              return raise(SIGKILL);
            }),
            100 + SIGKILL);
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(text_of(path("b")), "older");
}

TEST_F(OutputFile, IsCollectedByTheNextWriterWhereItHasToHaveAName) {
  EXPECT_EQ(in_child([&] {
              forbid_unnamed_files();
              output_file output(path("a"));
              output.write(std::string(200000, 'x'));
              return raise(SIGKILL);
            }),
            100 + SIGKILL);
  EXPECT_EQ(entries(), 1);
  EXPECT_FALSE(fs::exists(path("a")));
  output_file(path("b")).commit();  // its files begin otherwise
  EXPECT_EQ(entries(), 2);
  output_file(path("a")).commit();
  EXPECT_EQ(entries(), 2);
  EXPECT_TRUE(fs::exists(path("a")));
}

TEST_F(OutputFile, IsWrittenWhereItHasToHaveAName) {
  std::ofstream(path("a")) << "older";
  chmod(path("a").c_str(), 0640);
  EXPECT_EQ(in_child([&] {
              forbid_unnamed_files();
              {
                output_file given_up(path("a"));
                given_up.write("x");
                if (entries() != 2) return 1;
              }
              if (entries() != 1 || text_of(path("a")) != "older") return 2;
              output_file output(path("a"));
              output.write("newer");
              output.commit();
              return entries() == 1 && text_of(path("a")) == "newer" ? 0 : 3;
            }),
            0);
  struct stat status {};
  stat(path("a").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST_F(OutputFile, LeavesTheFilesOfOthersAlone) {
  // Of a program that lives, of a user who keeps a copy, and what is no file.
  const int living = open(path(".a.ropewalk-abcdef").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(flock(living, LOCK_EX), 0);
  std::ofstream(path(".a.backup")) << "mine";
  std::ofstream(path(".a.ropewalk-1")) << "mine";
  fs::create_symlink(".a.backup", path(".a.ropewalk-symbol"));
  ASSERT_EQ(mkfifo(path(".b.ropewalk-abcdef").c_str(), 0600), 0);
  output_file(path("a")).commit();
  EXPECT_EQ(entries(), 6);
  close(living);
  output_file(path("a")).commit();
  EXPECT_EQ(entries(), 5);
}

TEST_F(OutputFile, WritersOfOneNameDoNotTakeEachOthersFiles) {
  constexpr int writers = 4, times = 50;
  EXPECT_EQ(in_child([&] {
              forbid_unnamed_files();
              for (int i = 1; i < writers; ++i)
                if (fork() == 0) break;
              for (int i = 0; i < times; ++i)
                if (const std::string why = refusal(path("a")); why != "accepted") return 1;
              int status = 0, count = 0;
              while (wait(&status) > 0) count |= status;
              return count == 0 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace ropewalk::output::output_file_test
