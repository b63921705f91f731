// The ceilings of a machine: which working sets they copy, which one bounds a kernel, and that what is
// measured is a copy. No speed is asserted.

#include "bench/ceilings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "bench/copy_ways.hpp"

namespace ropewalk::bench {
namespace {

constexpr std::size_t kib = 1024, mib = 1024 * kib;
constexpr std::uint64_t plenty = std::uint64_t{64} << 30;
constexpr cache_level small_server[] = {{1, 48 * kib, 1}, {2, 1 * mib, 1}, {3, 32 * mib, 8}};

std::vector<std::string> levels_of(const ceiling_list& list) {
  std::vector<std::string> levels;
  for (const ceiling& ceiling : list.ceilings)
    levels.push_back(ceiling.level + "/" + std::to_string(ceiling.threads));
  return levels;
}

bool is_said(const ceiling_list& list, const std::string& text) {
  return std::any_of(list.left_out.begin(), list.left_out.end(),
                     [&](const std::string& line) { return line.find(text) != line.npos; });
}

void expect_adjacent(const ceiling_list& list) {
  std::size_t above = 0;
  int threads = 0;
  for (const ceiling& ceiling : list.ceilings) {
    // Memory alone lies above what caches are taken to hold where the system states none.
    if (ceiling.threads != threads) above = ceiling.level == "memory" ? ceiling.above : 0;
    threads = ceiling.threads;
    EXPECT_EQ(ceiling.above, above) << ceiling.level << ": no working set lies between two levels or in two";
    EXPECT_LT(ceiling.above, ceiling.working_set) << ceiling.level;
    EXPECT_LE(ceiling.working_set, ceiling.capacity) << ceiling.level;
    EXPECT_EQ(ceiling.working_set % (2 * static_cast<std::size_t>(threads) * copy_unit), 0U) << ceiling.level;
    above = ceiling.capacity;
  }
}

TEST(Ceilings, EveryLevelIsCopiedHalfwayIntoIt) {
  const int threads[] = {1, 16};
  const ceiling_list list = planned_ceilings(small_server, plenty, threads);
  EXPECT_EQ(levels_of(list), (std::vector<std::string>{"L1/1", "L2/1", "L3/1", "memory/1", "L1/16", "L2/16",
                                                       "L3/16", "memory/16"}));
  EXPECT_EQ(list.left_out, std::vector<std::string>{});
  expect_adjacent(list);
  EXPECT_EQ(list.ceilings[0].working_set, 24 * kib);
  EXPECT_EQ(list.ceilings[3].working_set, 128 * mib);
  EXPECT_EQ(list.ceilings[4].capacity, 16 * 48 * kib) << "each thread has its own";
  EXPECT_EQ(list.ceilings[6].capacity, 2 * 32 * mib) << "eight threads share one";
}

TEST(Ceilings, MissingLevelsAreLeftOutAndSaid) {
  const int index[] = {1}, many[] = {32};
  const ceiling_list none = planned_ceilings({}, plenty, index);
  EXPECT_EQ(levels_of(none), std::vector<std::string>{"memory/1"});
  EXPECT_TRUE(is_said(none, "L1: the system states no such cache"));
  EXPECT_EQ(ceiling_of(none.ceilings, mib, 1), nullptr) << "it may be in a cache that nobody stated";
  const ceiling_list two = planned_ceilings(std::span(small_server).first(2), plenty, index);
  EXPECT_EQ(levels_of(two), (std::vector<std::string>{"L1/1", "L2/1", "memory/1"}));
  EXPECT_TRUE(is_said(two, "L3: the system states no such cache"));
  expect_adjacent(two);
  constexpr cache_level wide_middle[] = {{1, 48 * kib, 1}, {2, 2 * mib, 1}, {3, 60 * mib, 32}};
  const ceiling_list wide = planned_ceilings(wide_middle, plenty, many);
  EXPECT_EQ(levels_of(wide), (std::vector<std::string>{"L1/32", "L2/32", "memory/32"}));
  EXPECT_TRUE(is_said(wide, "L3 with threads 32: no larger than the level below"));
  expect_adjacent(wide);
}

TEST(Ceilings, ALevelLittleLargerThanTheOneBelowIsCopiedAboveThat) {
  constexpr cache_level close[] = {{1, 48 * kib, 1}, {2, 2 * mib, 1}, {3, 100 * mib, 32}};
  const int threads[] = {32};
  const ceiling_list list = planned_ceilings(close, plenty, threads);
  EXPECT_EQ(levels_of(list), (std::vector<std::string>{"L1/32", "L2/32", "L3/32", "memory/32"}));
  expect_adjacent(list);
  EXPECT_EQ(list.ceilings[2].working_set, 82 * mib) << "halfway from 64 MiB to 100 MiB";
}

TEST(Ceilings, LittleMemoryIsNotFilled) {
  const int threads[] = {1};
  const ceiling_list less = planned_ceilings(small_server, 400 * mib, threads);
  EXPECT_EQ(less.ceilings.back().working_set, 100 * mib) << "a quarter of it";
  const ceiling_list least = planned_ceilings(small_server, 200 * mib, threads);
  EXPECT_EQ(least.ceilings.back().level, "L3");
  EXPECT_TRUE(is_said(least, "memory with threads 1: a quarter of the free 200 MiB"));
  EXPECT_EQ(ceiling_of(least.ceilings, 33 * mib, 1), nullptr);
}

TEST(Ceilings, AWorkingSetHasTheCeilingOfTheLevelThatHoldsIt) {
  const int threads[] = {1, 2};
  const ceiling_list list = planned_ceilings(small_server, plenty, threads);
  const auto level = [&](std::size_t bytes, int count) {
    const ceiling* ceiling = ceiling_of(list.ceilings, bytes, count);
    return ceiling == nullptr ? "none" : ceiling->level + "/" + std::to_string(ceiling->threads);
  };
  EXPECT_EQ(level(1, 1), "L1/1");
  EXPECT_EQ(level(48 * kib, 1), "L1/1");
  EXPECT_EQ(level(48 * kib + 1, 1), "L2/1");
  EXPECT_EQ(level(1 * mib, 1), "L2/1");
  EXPECT_EQ(level(32 * mib, 1), "L3/1");
  EXPECT_EQ(level(32 * mib + 1, 1), "memory/1");
  EXPECT_EQ(level(96 * kib, 2), "L1/2");
  EXPECT_EQ(level(mib, 3), "none") << "not measured with three threads";
}

TEST(Ceilings, MeasuredOnesAreNamedAndPositive) {
  constexpr cache_level tiny[] = {{1, 4 * kib, 1}, {2, 64 * kib, 1}};
  const int threads[] = {1, 2};
  const ceiling_list planned = planned_ceilings(tiny, plenty, threads), list = measured(planned);
  EXPECT_EQ(levels_of(list), levels_of(planned));
  std::set<std::string_view> ways;
  for (const copy_way& way : copy_ways()) ways.insert(way.name);
  for (const ceiling& ceiling : list.ceilings) {
    EXPECT_TRUE(ways.contains(ceiling.way)) << ceiling.way;
    EXPECT_GE(ceiling.bytes_per_second.size(), 5U);
    for (const double speed : ceiling.bytes_per_second) EXPECT_GT(speed, 0);
  }
}

TEST(Ceilings, OfThisMachineFitItsCaches) {
  const std::vector<int> threads = usual_thread_counts();
  EXPECT_EQ(threads.front(), 1);
  EXPECT_TRUE(std::is_sorted(threads.begin(), threads.end()));
  EXPECT_GT(free_memory(), mib);
  const ceiling_list list = planned_ceilings(data_caches(), free_memory(), threads);
  EXPECT_FALSE(list.ceilings.empty());
  expect_adjacent(list);
}

TEST(CopyWays, CopyEveryByteAndNoOther) {
  constexpr std::size_t guard = 64;
  std::set<std::string_view> names;
  for (const copy_way& way : copy_ways()) {
    names.insert(way.name);
    for (const std::size_t bytes : {std::size_t{0}, copy_unit, 5 * copy_unit, 64 * copy_unit}) {
      std::vector<std::byte> from(bytes + guard), to(bytes + 3 * guard, std::byte{7});
      for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<std::byte>(i * 31 + 1);
      const auto aligned = [](std::byte* at) {
        return at + (guard - reinterpret_cast<std::uintptr_t>(at) % guard) % guard;
      };
      std::byte* const out = aligned(to.data() + guard);
      std::byte* const in = aligned(from.data());
      std::vector<std::byte> expected = to;
      std::copy(in, in + bytes, expected.data() + (out - to.data()));
      way.copy(out, in, bytes);
      EXPECT_EQ(to, expected) << way.name << ", " << bytes << " bytes";
    }
  }
  EXPECT_EQ(names.size(), copy_ways().size());
}

}  // namespace
}  // namespace ropewalk::bench
