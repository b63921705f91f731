// The team of a benchmark: every member runs on its own thread, and failures reach the caller.

#include "bench/thread_team.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ropewalk::bench {
namespace {

constexpr int member_counts[] = {1, 2, 3, 7};

TEST(ThreadTeam, RunsEveryMemberOnceARun) {
  for (const int members : member_counts) {
    thread_team team(members);
    EXPECT_EQ(team.members(), members);
    std::vector<int> ran(static_cast<std::size_t>(members));
    constexpr int runs = 20;
    for (int run = 0; run < runs; ++run) {
      team.run([&](int member) { ++ran[static_cast<std::size_t>(member)]; });
      // Now and then longer than members spin, so that they are woken too.
      if (run % 10 == 9) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(ran, std::vector<int>(static_cast<std::size_t>(members), runs));
  }
}

TEST(ThreadTeam, KeepsItsThreads) {
  thread_team team(3);
  const auto ids_now = [&] {
    std::array<std::thread::id, 3> result;
    team.run([&](int member) { result[static_cast<std::size_t>(member)] = std::this_thread::get_id(); });
    return result;
  };
  const auto ids = ids_now();
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
  EXPECT_EQ(ids_now(), ids);
}

TEST(ThreadTeam, WaitsForItsSlowestMember) {
  thread_team team(2);
  int done = 0;
  team.run([&](int member) {
    if (member == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    done = 1;
  });
  EXPECT_EQ(done, 1);
}

TEST(ThreadTeam, FirstFailureInOrderReachesTheCallerAndTheTeamGoesOn) {
  thread_team team(3);
  const auto failing_from = [&](int first) {
    try {
      team.run([&](int member) {
        if (member >= first) throw std::runtime_error("member " + std::to_string(member));
      });
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(failing_from(0), "member 0");
  EXPECT_EQ(failing_from(1), "member 1");
  EXPECT_EQ(failing_from(2), "member 2");
  EXPECT_EQ(failing_from(3), "") << "no failure of an earlier run is left";
}

TEST(ThreadTeam, MembersHaveProcessorsOfTheirOwnAndTheMakerIsFreedAtTheEnd) {
  const std::vector<int> before = usable_processors();
  if (before.size() < 2) GTEST_SKIP() << "skipped: one processor";
  {
    thread_team team(2);
    std::array<int, 2> on{};
    team.run([&](int member) { on[static_cast<std::size_t>(member)] = sched_getcpu(); });
    EXPECT_EQ(on[0], before[0]);
    EXPECT_EQ(on[1], before[1]);
  }
  EXPECT_EQ(usable_processors(), before);
}

TEST(ThreadTeam, CopiesEveryByteAndNoOther) {
  for (const int members : member_counts) {
    thread_team team(members);
    for (const std::size_t bytes : {0, 1, 63, 64, 65, 1000, 4096}) {
      std::vector<std::byte> from(bytes, std::byte{1}), to(bytes + 1, std::byte{2});
      copy_on(team.pool(), to.data(), from.data(), bytes);
      from.push_back(std::byte{2});
      EXPECT_EQ(to, from) << bytes << " bytes, members " << members;
    }
  }
}

}  // namespace
}  // namespace ropewalk::bench
