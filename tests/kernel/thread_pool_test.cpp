// Threads that stay: every share runs once whatever the other threads do, and nothing is started or allocated
// in a call.

#include "ropewalk/kernel/thread_pool.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "kernel/watched_threads.hpp"

std::atomic<long> ropewalk::test::allocations{0};

// Counted in the whole program; the other forms call these, or are those of aligned types. GCC takes inlined
// ones for a mismatch of new and free.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++ropewalk::test::allocations;
  if (void* const result = std::malloc(bytes)) return result;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace ropewalk::test {
namespace {

constexpr int thread_numbers[] = {1, 2, 3, 7};
constexpr auto longer_than_spinning = 100 * ropewalk::detail::longest_spin;

TEST(ThreadPool, RunsEveryShareOnce) {
  for (const int threads : thread_numbers) {
    thread_pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    EXPECT_EQ(pool.workers(), threads - 1);
    for (const int shares : {1, 2, 3, 10, 64}) {
      std::vector<int> runs(static_cast<std::size_t>(shares));
      constexpr int times = 50;
      for (int i = 0; i < times; ++i) {
        pool.run(shares, [&](int share) noexcept { ++runs[static_cast<std::size_t>(share)]; });
        if (i % 20 == 19) std::this_thread::sleep_for(longer_than_spinning);  // workers are woken, too
      }
      EXPECT_EQ(runs, std::vector<int>(static_cast<std::size_t>(shares), times)) << threads << " threads";
    }
  }
}

TEST(ThreadPool, AShareThatTheCallerTakesBackRunsOnce) {
  thread_pool pool(2);
  ids_of(pool);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> by_worker{0};
  for (int i = 0; i < 500'000 && by_worker < 5000; ++i) {
    std::array<std::atomic<int>, 2> runs{};
    pool.run(2, [&](int share) noexcept {
      ++runs[static_cast<std::size_t>(share)];
      if (std::this_thread::get_id() != caller) ++by_worker;
      // The caller takes the other share back just before, while or after the worker begins it.
      for (int turn = 0; share == 0 && turn < i % 512; ++turn) runs[0].load();
    });
    ASSERT_EQ(runs[0], 1);
    ASSERT_EQ(runs[1], 1);
  }
}

TEST(ThreadPool, SharesKeepTheirThreads) {
  thread_pool pool(3);
  const auto ids = ids_of(pool);
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ids_of(pool), ids);
}

TEST(ThreadPool, PartsAreContiguousAndEven) {
  thread_pool pool(3);
  std::vector<std::thread::id> by(11);
  std::atomic<int> begun{0};
  pool.run(11, [&](int share) noexcept {
    if (share == 0 || share == 4 || share == 8) ++begun;
    while (begun < 3) std::this_thread::yield();
    by[static_cast<std::size_t>(share)] = std::this_thread::get_id();
  });
  const auto ids = ids_of(pool);
  for (std::size_t share = 0; share < by.size(); ++share) EXPECT_EQ(by[share], ids[share / 4]) << share;
}

TEST(ThreadPool, IdleWorkersSleepAndAreFoundAgain) {
  thread_pool pool(3);
  const auto ids = ids_of(pool);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(others_sleep()) << thread_states();
    EXPECT_EQ(ids_of(pool), ids);
  }
}

TEST(ThreadPool, WakesNoMoreWorkersThanItMay) {
  thread_pool pool(3);
  for (const std::size_t most_woken : {0U, 1U, 2U}) {
    EXPECT_TRUE(others_sleep());
    std::atomic<std::size_t> begun{0};
    std::array<std::thread::id, 3> by;
    pool.run(
        3,
        [&](int share) noexcept {
          by[static_cast<std::size_t>(share)] = std::this_thread::get_id();
          ++begun;
          while (begun < most_woken + 1) std::this_thread::yield();
          if (share == 0) std::this_thread::sleep_for(longer_than_spinning);  // another worker would begin
        },
        static_cast<int>(most_woken));
    EXPECT_EQ(std::set(by.begin(), by.end()).size(), most_woken + 1);
  }
}

TEST(ThreadPool, WaitsForItsSlowestShare) {
  thread_pool pool(2);
  int done = 0;
  run_together(pool, [&](int share) {
    if (share == 0) return;
    std::this_thread::sleep_for(longer_than_spinning);
    done = 1;
  });
  EXPECT_EQ(done, 1);
}

TEST(ThreadPool, ACallThatFindsNoFreeWorkerIsMadeByItsCaller) {
  thread_pool pool(2);
  const busy_pool busy(pool);
  std::vector<std::thread::id> by(5);
  pool.run(5, [&](int share) noexcept { by[static_cast<std::size_t>(share)] = std::this_thread::get_id(); });
  EXPECT_EQ(by, std::vector<std::thread::id>(5, std::this_thread::get_id()));
}

TEST(ThreadPool, CallsWithinCallsEnd) {
  thread_pool pool(3);
  for (int i = 0; i < 200; ++i) {
    std::atomic<int> runs{0};
    pool.run(3, [&](int) noexcept {
      pool.run(4, [&](int) noexcept { pool.run(2, [&](int) noexcept { ++runs; }); });
    });
    EXPECT_EQ(runs, 3 * 4 * 2);
  }
}

TEST(ThreadPool, CallsOfSeveralThreadsAtOnceLoseAndDoubleNothing) {
  thread_pool pool(4);
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 3000; ++i) {
        std::array<int, 7> runs{};
        pool.run(7, [&](int share) noexcept { ++runs[static_cast<std::size_t>(share)]; });
        if (runs != std::array{1, 1, 1, 1, 1, 1, 1}) ADD_FAILURE() << "call " << i << " of " << caller;
        if (i % 500 == caller) std::this_thread::sleep_for(longer_than_spinning);
      }
    });
}

TEST(ThreadPool, ACallAllocatesNothingAndStartsNoThread) {
  thread_pool pool(3);
  ids_of(pool);
  const std::size_t threads = thread_states().size();
  std::atomic<int> runs{0};
  const long before = allocations;
  for (int i = 0; i < 100; ++i) pool.run(5, [&](int) noexcept { ++runs; });
  EXPECT_EQ(allocations, before);
  EXPECT_LE(thread_states().size(), threads);
  EXPECT_EQ(runs, 500);
}

TEST(ThreadPool, GrowsToTheLargestNumberAndKeepsItsWorkers) {
  thread_pool pool(1);
  EXPECT_EQ(pool.workers(), 0);
  pool.grow(3);
  const auto ids = ids_of(pool);
  pool.grow(2);
  EXPECT_EQ(pool.threads(), 3);
  pool.grow(4);
  const auto more = ids_of(pool);
  EXPECT_EQ(std::vector(more.begin(), more.begin() + 3), ids);
}

/// Gives threads that start meanwhile a stack for which there is no address space.
class impossible_stacks {
 public:
  impossible_stacks() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t large = before_;
    pthread_attr_setstacksize(&large, std::size_t{1} << 50);
    pthread_setattr_default_np(&large);
  }
  ~impossible_stacks() { pthread_setattr_default_np(&before_); }

 private:
  pthread_attr_t before_;
};

TEST(ThreadPool, TheCallerDoesTheSharesOfThreadsThatDoNotStart) {
  const impossible_stacks none_starts;
  thread_pool pool(4);
  EXPECT_EQ(pool.workers(), 0);
  EXPECT_EQ(pool.threads(), 4);
  std::vector<std::thread::id> by(4);
  pool.run(4, [&](int share) noexcept { by[static_cast<std::size_t>(share)] = std::this_thread::get_id(); });
  EXPECT_EQ(by, std::vector<std::thread::id>(4, std::this_thread::get_id()));
}

TEST(ThreadPool, WorkersBlockTheSignalsOfTheProcessAlone) {
  sigset_t before, after, inside;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  thread_pool pool(2);
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  run_together(pool, [&](int share) {
    if (share == 1) pthread_sigmask(SIG_SETMASK, nullptr, &inside);
  });
  for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGPROF, SIGUSR1}) {
    EXPECT_EQ(sigismember(&inside, signal), 1) << signal;
    EXPECT_EQ(sigismember(&after, signal), sigismember(&before, signal)) << signal;
  }
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) EXPECT_EQ(sigismember(&inside, own), 0) << own;
}

TEST(ThreadPool, WorkersStayOnTheirProcessorsAndTheCallerIsNotMoved) {
  const std::vector<int> allowed = allowed_processors();
  if (allowed.size() < 2) GTEST_SKIP() << "skipped: one processor";
  thread_pool pool(3, {allowed[0], allowed[1]});
  std::array<std::vector<int>, 3> values;
  run_together(pool, [&](int share) { values[static_cast<std::size_t>(share)] = allowed_processors(); });
  EXPECT_EQ(values[0], allowed);
  EXPECT_EQ(values[1], std::vector{allowed[1]});
  EXPECT_EQ(values[2], std::vector{allowed[0]});
}

TEST(ThreadPool, WorkersStayWithinTheProcessorsOfTheirMaker) {
  const std::vector<int> allowed = allowed_processors();
  if (allowed.size() < 2) GTEST_SKIP() << "skipped: one processor";
  ASSERT_TRUE(stay_on({allowed.data(), 1}));
  thread_pool pool(2, {allowed[0], allowed[1]});
  ASSERT_TRUE(stay_on(allowed));
  std::vector<int> of_worker;
  run_together(pool, [&](int share) {
    if (share == 1) of_worker = allowed_processors();
  });
  EXPECT_EQ(of_worker, std::vector{allowed[0]});
}

TEST(ThreadPool, WithoutWorkersAfterItIsClosed) {
  thread_pool pool(3);
  pool.close();
  pool.grow(8);
  std::vector<std::thread::id> by(3);
  pool.run(3, [&](int share) noexcept { by[static_cast<std::size_t>(share)] = std::this_thread::get_id(); });
  EXPECT_EQ(by, std::vector<std::thread::id>(3, std::this_thread::get_id()));
}

}  // namespace
}  // namespace ropewalk::test
