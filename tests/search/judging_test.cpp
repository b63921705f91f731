// A kernel that exits, crashes or hangs is named on stderr. After an exit or a hang the exit code is 1.

#include "search/judging.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace ropewalk::search {
namespace {

/// Death tests run in a process of their own, without other threads.
class Judging : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

using JudgingDeath = Judging;

TEST_F(JudgingDeath, AKernelThatEndsTheProgramIsNamed) {
  const auto judge = [] {
    name_kernel_on_crash();
    const judging watched("quitter", "accuracy");
    std::exit(0);
  };
  EXPECT_EXIT(judge(), testing::ExitedWithCode(1),
              "the program was ended while judging quitter \\(accuracy\\); --skip-law accuracy=REASON leaves "
              "that law out");
}

TEST_F(JudgingDeath, AnEndOutsideOfAKernelIsLeftAlone) {
  const auto end = [] {
    name_kernel_on_crash();
    { const judging watched("quitter", "accuracy"); }
    std::exit(0);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(0), "");
}

TEST_F(JudgingDeath, AKernelThatCrashesIsNamed) {
  const auto judge = [] {
    name_kernel_on_crash();
    const judging watched("breaker", "norm");
    std::abort();
  };
  EXPECT_EXIT(judge(), testing::KilledBySignal(SIGABRT), "crashed while judging breaker \\(norm\\)");
}

TEST_F(JudgingDeath, AKernelThatNeverComesBackIsNamed) {
  const auto judge = [] {
    const hang_watch watch(std::chrono::seconds(1));
    const judging watched("sleeper", "identity");
    std::this_thread::sleep_for(std::chrono::hours(1));
  };
  EXPECT_EXIT(judge(), testing::ExitedWithCode(1),
              "no call returned for 1 s while judging sleeper \\(identity\\)");
}

TEST_F(JudgingDeath, CasesThatComeThroughAreNoSilence) {
  const auto judge = [] {
    {
      const hang_watch watch(std::chrono::seconds(2));
      judging watched("walker", "identity");
      for (int i = 0; i < 25; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        watched.go_on();
      }
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(judge(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ropewalk::search
