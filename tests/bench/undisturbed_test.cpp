// Timing is repeated while a thread leaves its processor, and not for ever.

#include "bench/undisturbed.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "bench/processors.hpp"
#include "bench/thread_team.hpp"

namespace ropewalk::bench {
namespace {

constexpr std::chrono::milliseconds pause{1};

/// Counts calls, of which the first so many in turn leave the processor.
struct leaving_work {
  int leave = 0;
  long departures = 0;
  int calls = 0;
  void operator()() {
    if (calls++ < leave) ++departures;
  }
};

TEST(Undisturbed, ACallIsTimedUntilNoThreadLeavesDuringIt) {
  constexpr int untimed_and_timed = 2;
  for (int disturbed_tries = 0; disturbed_tries < undisturbed::most_tries; ++disturbed_tries) {
    leaving_work work{.leave = untimed_and_timed * disturbed_tries};
    undisturbed timed([&] { return work.departures; });
    timed.seconds_of(1, work);
    EXPECT_EQ(work.calls, untimed_and_timed * (disturbed_tries + 1));
    EXPECT_EQ(timed.disturbed(), 0);
  }
}

TEST(Undisturbed, TheUntimedCallMayLeave) {
  leaving_work work{.leave = 1};
  undisturbed timed([&] { return work.departures; });
  timed.seconds_of(1, work);
  EXPECT_EQ(work.calls, 2);
}

TEST(Undisturbed, TriesEndAndTheShareOfTheirCallsIsSaid) {
  leaving_work work{.leave = 2 * undisturbed::most_tries};
  undisturbed timed([&] { return work.departures; });
  EXPECT_EQ(timed.disturbed(), 0) << "nothing was timed yet";
  timed.seconds_of(1, work);
  EXPECT_EQ(work.calls, 2 * undisturbed::most_tries);
  EXPECT_EQ(timed.disturbed(), 1);
  timed.seconds_of(1, work);
  EXPECT_EQ(timed.disturbed(), 0.5);
}

TEST(Undisturbed, SecondsAreThoseOfOneCall) {
  constexpr int calls = 3;
  undisturbed timed([] { return 0L; });
  int made = 0;
  const auto work = [&] {
    ++made;
    std::this_thread::sleep_for(pause);
  };
  const auto begin = std::chrono::steady_clock::now();
  const double seconds = timed.seconds_of(calls, work);
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(made, 1 + calls);
  EXPECT_GE(seconds, std::chrono::duration<double>(pause).count());
  EXPECT_LE(seconds * calls, all.count());
}

/// Spins on the calling thread's processor together with another thread until the system has taken it away
/// from the caller several times.
void lose_the_processor(int times) {
  const long before = departures();
  const int here = sched_getcpu();
  std::atomic<bool> is_done{false};
  const moved_thread stays(here);
  std::jthread other([&] {  // on the same processor, since its maker is kept there
    while (!is_done) continue;
  });
  while (departures() - before < times) continue;
  is_done = true;
}

TEST(Departures, AreThoseOfEveryMember) {
  constexpr int times = 3;
  for (const int loser : {0, 1}) {
    thread_team team(2);
    const long before = team.departures();
    team.run([&](int member) {
      if (member == loser) lose_the_processor(times);
    });
    EXPECT_GE(team.departures() - before, times) << "member " << loser;
  }
}

TEST(Departures, WaitingIsNone) {
  constexpr int pauses = 20;
  const long before = departures();
  for (int i = 0; i < pauses; ++i) std::this_thread::sleep_for(pause);
  EXPECT_LT(departures() - before, pauses);
}

}  // namespace
}  // namespace ropewalk::bench
