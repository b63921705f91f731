// The number of cases that a search runs, and searches without a verdict.

#include <gtest/gtest.h>

#include "kernel/kernels.hpp"
#include "search/case_generator.hpp"
#include "search/drawn_cases.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

TEST(Search, SaysNothingWhereTooLittleIsJudged) {
  // At an attention factor of 2^40 no binary16 output but zero is finite.
  const checked_rotation kernel(
      cpu_table_kernel(), promise::canonical,
      rope{.base = 10000,
           .rotary_dim = 16,
           .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64, .attention_factor = 0x1p40}},
      head_layout{16});
  const std::atomic<bool> is_stopped{false};
  const outcome outcome =
      search(rotation_laws::extrapolation, kernel, ROPEWALK_F16, 1, {1, 1, {}}, is_stopped);
  EXPECT_TRUE(outcome.holds());
  EXPECT_TRUE(outcome.too_few);
  EXPECT_TRUE(outcome.says_nothing());
}

TEST(Search, JudgesEveryRangeAtLargeAndSmallFactors) {
  for (const double factor : {0x1p-20, 0x1p20}) {
    const checked_rotation kernel(
        cpu_table_kernel(), promise::canonical,
        rope{
            .base = 10000,
            .rotary_dim = 16,
            .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64, .attention_factor = factor}},
        head_layout{16});
    const std::atomic<bool> is_stopped{false};
    const outcome outcome =
        search(rotation_laws::extrapolation, kernel, ROPEWALK_F32, 1, {1, 1, {}}, is_stopped);
    EXPECT_TRUE(outcome.holds()) << factor;
    EXPECT_FALSE(outcome.says_nothing()) << factor;
  }
}

TEST(Search, RunsEveryRangeOfPositionsAThousandTimes) {
  const checked_rotation kernel(cpu_table_kernel(), promise::canonical, rope{.base = 10000, .rotary_dim = 24},
                                head_layout{96});
  const auto& extrapolation = rotation_laws::extrapolation;
  const std::atomic<bool> is_stopped{false};
  const outcome outcome = search(extrapolation, kernel, ROPEWALK_F16, 1, {1, 1, {}}, is_stopped);
  EXPECT_TRUE(outcome.holds());
  EXPECT_EQ(outcome.cases, position_ranges * cases_in_each_range);
  for (const range_worst& range : outcome.ranges) {
    EXPECT_GE(range.rotations, rotations_in_each_range);
    EXPECT_GT(range.worst, 0.5);
    EXPECT_LE(range.worst, 1);
  }
}

TEST(Search, RunsItsLeastNumberOfCasesWhateverTheTime) {
  const checked_rotation kernel(cpu_table_kernel(), promise::canonical, rope{.base = 10000, .rotary_dim = 16},
                                head_layout{16});
  const std::atomic<bool> is_stopped{false};
  const outcome outcome =
      search(rotation_laws::canonical, kernel, ROPEWALK_F32, 1, {50, 1000000, clock::now()}, is_stopped);
  EXPECT_EQ(outcome.cases, 50);
}

TEST(Search, EndsWhenItIsStopped) {
  const checked_rotation kernel(cpu_table_kernel(), promise::canonical, rope{.base = 10000, .rotary_dim = 16},
                                head_layout{16});
  const std::atomic<bool> stopped{true};
  const outcome outcome = search(rotation_laws::canonical, kernel, ROPEWALK_F32, 1, {50, 50, {}}, stopped);
  EXPECT_TRUE(outcome.says_nothing());
}

}  // namespace
}  // namespace ropewalk::search
