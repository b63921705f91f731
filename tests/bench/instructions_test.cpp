// Counting instructions: the count where the system counts, and a reason where it does not.

#include "bench/instructions.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <vector>

namespace ropewalk::bench {
namespace {

instruction_counter::opener refused_with(int error) {
  return [=] {
    errno = error;
    return -1;
  };
}

/// A counter that reads as given: value, nanoseconds enabled, nanoseconds running, for each reading.
instruction_counter::opener that_reads(const std::vector<std::uint64_t>& words) {
  return [=] {
    const int file = memfd_create("counter", 0);
    const std::size_t bytes = words.size() * sizeof words[0];
    EXPECT_EQ(write(file, words.data(), bytes), static_cast<ssize_t>(bytes));
    lseek(file, 0, SEEK_SET);
    return file;
  };
}

void add_up(std::uint64_t steps) {
  volatile std::uint64_t sum = 0;
  for (std::uint64_t step = 0; step < steps; ++step) sum = sum + step;
}

TEST(Instructions, ARefusalSaysWhy) {
  for (const auto& [error, why] :
       {std::pair(EACCES, "does not allow it"), std::pair(EPERM, "does not allow it"),
        std::pair(ENOENT, "offers no counter"), std::pair(ENOSYS, "no such call"),
        std::pair(EMFILE, "could not be opened")}) {
    instruction_counter counter(refused_with(error));
    EXPECT_NE(counter.not_counted().find(why), std::string::npos) << counter.not_counted();
    EXPECT_NE(counter.not_counted().find("errno " + std::to_string(error)), std::string::npos);
    bool has_run = false;
    EXPECT_EQ(counter.instructions_of([&] { has_run = true; }, 1), std::nullopt);
    EXPECT_FALSE(has_run) << "there is nothing to run it for";
  }
}

TEST(Instructions, AreTheDifferenceOfTwoReadingsByCalls) {
  instruction_counter counter(that_reads({1000, 50, 50, 1600, 90, 90}));
  int calls = 0;
  EXPECT_EQ(counter.instructions_of([&] { ++calls; }, 4), 150.0);
  EXPECT_EQ(calls, 5) << "one of them uncounted";
  EXPECT_EQ(counter.not_counted(), "");
}

TEST(Instructions, ASharedCounterGivesNoCount) {
  instruction_counter shared(that_reads({0, 50, 50, 100, 90, 80}));
  EXPECT_EQ(shared.instructions_of([] {}, 1), std::nullopt);
  EXPECT_EQ(shared.not_counted(), "other programs took the counter meanwhile");
  instruction_counter idle(that_reads({0, 50, 0, 0, 90, 0}));
  EXPECT_EQ(idle.instructions_of([] {}, 1), std::nullopt);
  EXPECT_EQ(idle.not_counted(), "the counter never ran");
  instruction_counter cut(that_reads({0, 50, 50, 1}));
  EXPECT_EQ(cut.instructions_of([] {}, 1), std::nullopt);
  EXPECT_EQ(cut.not_counted(), "the counter could not be read");
}

TEST(Instructions, OfThisMachineGrowWithTheWorkOrAreRefused) {
  instruction_counter counter;
  const auto few = counter.instructions_of([] { add_up(1000); }, 10);
  const auto many = counter.instructions_of([] { add_up(100000); }, 10);
  if (!few || !many) {
    EXPECT_NE(counter.not_counted(), "");
    GTEST_SKIP() << "skipped: not counted: " << counter.not_counted();
  }
  EXPECT_GE(*few, 1000) << "at least one instruction a step";
  EXPECT_GE(*many, 10 * *few);
}

}  // namespace
}  // namespace ropewalk::bench
