// The line that shows the progress of long work, and the time that it says is left.

#include "output/terminal.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using ropewalk::output::progress_line;
using std::chrono::seconds;

std::string bar(std::size_t filled) {
  return "[" + std::string(filled, '#') + std::string(40 - filled, '.') + "]";
}

TEST(Progress, SaysThePartThatIsDone) {
  EXPECT_EQ(progress_line("verify", 0, seconds(0)), "verify " + bar(0) + "   0 %");
  EXPECT_EQ(progress_line("verify", 0.999, seconds(0)), "verify " + bar(39) + "  99 %");
  EXPECT_EQ(progress_line("verify", 1, seconds(0)), "verify " + bar(40) + " 100 %");
}

TEST(Progress, SaysTheTimeLeftAtTheMeanSpeed) {
  EXPECT_EQ(progress_line("bench", 0.25, seconds(10)), "bench " + bar(10) + "  25 %, 30 s left");
  EXPECT_EQ(progress_line("bench", 0.25, seconds(40)), "bench " + bar(10) + "  25 %, 2 min left");
  EXPECT_EQ(progress_line("bench", 0.5, seconds(100)),
            "bench " + bar(20) + "  50 %, 2 min left");  // 1 min 40 s
}

TEST(Progress, SaysNoTimeBeforeASpeedIsKnown) {
  EXPECT_EQ(progress_line("bench", 0.5, std::chrono::milliseconds(999)).find("left"), std::string::npos);
  EXPECT_EQ(progress_line("bench", 0.009, seconds(60)).find("left"), std::string::npos);
  EXPECT_NE(progress_line("bench", 0.01, seconds(60)).find("99 min left"), std::string::npos);
}

}  // namespace
