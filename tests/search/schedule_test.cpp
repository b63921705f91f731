#include "search/schedule.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace ropewalk::search {
namespace {

const std::atomic<bool> not_stopped{false};
const auto no_progress = [](double) {};

/// A job that runs its least number of cases, and appends its number to `order` at each call.
job noting_job(std::vector<int>& order, int number, std::vector<std::int64_t> stages) {
  return {[&order, number](const limits& until, const std::atomic<bool>&, outcome& so_far) {
            order.push_back(number);
            so_far.cases = std::max(so_far.cases, until.least_cases);
          },
          std::move(stages)};
}

TEST(Schedule, EveryJobDoesItsFirstStageBeforeAnyDoesItsSecond) {
  std::vector<int> order;
  const std::vector<job> jobs{noting_job(order, 0, {3, 3, 50}), noting_job(order, 1, {0, 3, 3}),
                              noting_job(order, 2, {3, 3, 50})};
  run(jobs, {1, 1000, std::chrono::hours(1)}, not_stopped, no_progress);
  EXPECT_EQ(order, (std::vector<int>{0, 2, 1, 0, 2, 0, 1, 2}));  // the last three share the time that is left
}

TEST(Schedule, WithoutStagesOrBudgetEachJobRunsItsMostCases) {
  std::vector<std::int64_t> most;
  const job job{[&](const limits& until, const std::atomic<bool>&, outcome&) {
    most.push_back(until.most_cases);
    EXPECT_EQ(until.deadline, clock::time_point{});
    EXPECT_EQ(until.end, clock::time_point{});
  }};
  run({job, job}, {1, 77, {}}, not_stopped, no_progress);
  EXPECT_EQ(most, (std::vector<std::int64_t>{77, 77}));
}

TEST(Schedule, NothingIsBegunOnceTheBudgetIsSpent) {
  int begun = 0;
  const job job{[&](const limits& until, const std::atomic<bool>&, outcome& so_far) {
                  ++begun;
                  so_far.cases = 3;
                  while (clock::now() < until.end) continue;
                },
                {3}};
  const auto outcomes =
      run({job, job, job}, {1, 1000, std::chrono::milliseconds(100)}, not_stopped, no_progress);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(outcomes[0].cases, 3);
  EXPECT_EQ(outcomes[1].cases, 0);
}

TEST(Schedule, OneSeedGivesEachJobItsOwnCases) {
  EXPECT_NE(job_seed(1, "a", ROPEWALK_F32, "norm"), job_seed(2, "a", ROPEWALK_F32, "norm"));
  EXPECT_NE(job_seed(1, "a", ROPEWALK_F32, "norm"), job_seed(1, "b", ROPEWALK_F32, "norm"));
  EXPECT_NE(job_seed(1, "a", ROPEWALK_F32, "norm"), job_seed(1, "a", ROPEWALK_F64, "norm"));
  EXPECT_NE(job_seed(1, "a", ROPEWALK_F32, "norm"), job_seed(1, "a", ROPEWALK_F32, "accuracy"));
}

}  // namespace
}  // namespace ropewalk::search
