// Outputs appear whole or not at all.

#include "export/output_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

  fs::path folder_;
};

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
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = fork();
    if (child == 0) {
      ::signal(signal, SIG_DFL);
      install_cleanup_on_signals();
      output_file first(path("a")), second(path("b"));
      first.write(std::string(100000, 'x'));
      raise(signal);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_EQ(entries(), 0);
  }
}

}  // namespace
}  // namespace ropewalk::output::output_file_test
