// Processors of a benchmark's threads.

#include "bench/processors.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <set>

namespace ropewalk::bench {
namespace {

TEST(Processors, AListBeginsWithItsFirst) {
  EXPECT_EQ(first_processor("0-1"), 0);
  EXPECT_EQ(first_processor("2,34"), 2);
  EXPECT_EQ(first_processor("17"), 17);
  EXPECT_EQ(first_processor(""), -1);
  EXPECT_EQ(first_processor("none"), -1);
}

TEST(Processors, EachIsNamedOnce) {
  const std::vector<int> all = usable_processors();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
}

TEST(Processors, AMovedThreadStaysThereAndIsFreeAfterwards) {
  const std::vector<int> before = usable_processors();
  for (const int processor : before) {
    const moved_thread moved(processor);
    EXPECT_EQ(usable_processors(), std::vector{processor});
    EXPECT_EQ(sched_getcpu(), processor);
  }
  EXPECT_EQ(usable_processors(), before);
}

TEST(Processors, AThreadThatCannotBeMovedStaysFree) {
  const std::vector<int> before = usable_processors();
  { const moved_thread moved(CPU_SETSIZE - 1); }
  EXPECT_EQ(usable_processors(), before);
}

}  // namespace
}  // namespace ropewalk::bench
