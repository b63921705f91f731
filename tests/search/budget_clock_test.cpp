// Budgets count the processor time of this process and of those that it judges.

#include "search/budget_clock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <thread>

namespace ropewalk::search {
namespace {

using std::chrono::duration, std::chrono::milliseconds;

void compute_for(double seconds) {
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  while (std::clock() < end) continue;
}

double seconds_since(budget_clock::time_point begin) {
  return duration<double>(budget_clock::now() - begin).count();
}

TEST(BudgetClock, CountsComputingAndOnlyAThirdOfWaiting) {
  const auto begin = budget_clock::now();
  compute_for(0.3);
  EXPECT_GE(seconds_since(begin), 0.3 * 0.99);
  const auto waiting = std::chrono::steady_clock::now();
  const auto asleep = budget_clock::now();
  std::this_thread::sleep_for(milliseconds(300));
  const duration<double> passed = std::chrono::steady_clock::now() - waiting;
  EXPECT_LE(seconds_since(asleep), passed.count() / most_waiting + 0.05);
}

TEST(BudgetClock, CountsAProcessWhileItLivesAndAfterIt) {
  constexpr double computed = 0.3;
  int is_done[2];
  ASSERT_EQ(::pipe(is_done), 0);
  const double before = processor_seconds();
  const pid_t child = ::fork();
  if (child == 0) {
    compute_for(computed);
    static_cast<void>(::write(is_done[1], "", 1));
    ::pause();
    ::_exit(0);
  }
  char done = 0;
  ASSERT_EQ(::read(is_done[0], &done, 1), 1);
  EXPECT_LT(processor_seconds() - before, computed);
  {
    const counted_process counted(child);
    EXPECT_GE(processor_seconds() - before, computed * 0.99);
  }
  EXPECT_LT(processor_seconds() - before, computed);
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_GE(processor_seconds() - before, computed * 0.99);
  for (const int end : is_done) ::close(end);
}

TEST(BudgetClock, NeverGoesBack) {
  auto latest = budget_clock::now();
  EXPECT_GT(latest, budget_clock::time_point{});
  for (int i = 0; i < 10000; ++i) {
    const auto now = budget_clock::now();
    EXPECT_GE(now, latest);
    latest = now;
  }
}

}  // namespace
}  // namespace ropewalk::search
