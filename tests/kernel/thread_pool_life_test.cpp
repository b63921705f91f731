// Threads of a pool in processes that fork, end, and unload the code that the threads run.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "kernel/watched_threads.hpp"
#include "ropewalk/kernel/thread_pool.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define ROPEWALK_SEARCHES_LEAKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROPEWALK_SEARCHES_LEAKS
#endif
#endif
#ifdef ROPEWALK_SEARCHES_LEAKS
#include <sanitizer/lsan_interface.h>
#endif

namespace ropewalk::test {
namespace {

/// Runs `work` in a process that fork() makes; its exit status, or minus the signal that ended it.
template <class Work>
int status_of_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(work());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(ThreadPoolFork, AForkedProcessHasWorkersOfItsOwn) {
  thread_pool pool(3);
  ids_of(pool);
  for (const bool is_idle : {false, true}) {
    EXPECT_TRUE(!is_idle || others_sleep());
    EXPECT_EQ(status_of_child([&] {
                if (thread_states().size() != 1) return 1;
                const auto ids = ids_of(pool);
                if (std::set(ids.begin(), ids.end()).size() != 3 || ids != ids_of(pool)) return 2;
                return thread_states().size() == 3 && pool.workers() == 2 ? 0 : 3;
              }),
              0);
  }
  EXPECT_EQ(pool.workers(), 2);
  ids_of(pool);
}

TEST(ThreadPoolFork, AForkedProcessMayForkAgainAndEndItsPool) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer takes a thread of the second process for one of the first";
#endif
  EXPECT_EQ(status_of_child([] {
              thread_pool pool(2);
              ids_of(pool);
              return status_of_child([&] {
                pool.close();  // of which no worker is here
                thread_pool other(2);
                ids_of(other);
                return 7;
              });
            }),
            7);
}

TEST(ThreadPoolFork, AForkWhileWorkersRunLeavesTheChildFree) {
  thread_pool pool(2);
  const busy_pool busy(pool);
  EXPECT_EQ(status_of_child([&] {
              const auto ids = ids_of(pool);
              return ids[0] != ids[1] ? 0 : 1;
            }),
            0);
}

TEST(ThreadPoolFork, ALockThatTheParentHoldsIsFree) {
  constexpr std::uint32_t parent = 1, child = 2;
  ropewalk::detail::process_lock lock;
  EXPECT_TRUE(lock.try_lock(parent));
  EXPECT_FALSE(lock.try_lock(parent));
  EXPECT_TRUE(lock.try_lock(child));
  EXPECT_FALSE(lock.try_lock(child));
  lock.unlock();
  EXPECT_TRUE(lock.try_lock(child));
}

bool lacks_processors() { return allowed_processors().size() < 2; }

/// Runs two shares on the pool of the process, together.
void use_process_pool() { ids_of(ropewalk::detail::process_pool(2)); }

/// Each statement runs in a process of its own, which has no pool yet.
class ThreadPoolEndDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (lacks_processors()) GTEST_SKIP() << "skipped: one processor";
  }
};

TEST_F(ThreadPoolEndDeathTest, AProgramEndsWhileWorkersSpinOrSleep) {
  for (const bool is_idle : {false, true})
    EXPECT_EXIT(
        {
          use_process_pool();
          std::exit(is_idle && !others_sleep() ? 1 : 7);
        },
        testing::ExitedWithCode(7), "");
}

TEST_F(ThreadPoolEndDeathTest, AWorkerMayEndTheProgram) {
  EXPECT_EXIT(run_together(ropewalk::detail::process_pool(2),
                           [](int share) {
                             if (share == 1) std::exit(7);
                             while (true) std::this_thread::yield();
                           }),
              testing::ExitedWithCode(7), "");
}

/// Makes a call when the workers have ended.
void call_at_the_end() {
  std::atomic<int> runs{0};
  ropewalk::detail::process_pool(2).run(2, [&](int) noexcept { ++runs; });
  _exit(runs == 2 && has_threads(1) ? 7 : 1);
}

TEST_F(ThreadPoolEndDeathTest, WhatRunsAfterThePoolMayStillCall) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer has a thread of its own";
#endif
  EXPECT_EXIT(
      {
        std::atexit(call_at_the_end);
        use_process_pool();
        std::exit(1);
      },
      testing::ExitedWithCode(7), "");
}

/// The memory of workers is never freed, as other threads may still make calls while the library is unloaded:
/// the search for leaks is told so.
#ifdef ROPEWALK_SEARCHES_LEAKS
using leaks_allowed = __lsan::ScopedDisabler;
#else
struct leaks_allowed {};
#endif

TEST(ThreadPoolEnd, WorkersEndBeforeTheirLibraryIsUnloaded) {
  if (lacks_processors()) GTEST_SKIP() << "skipped: one processor";
  for (const bool is_idle : {false, true}) {
    EXPECT_TRUE(others_sleep());
    const std::size_t before = thread_states().size();
    void* const library = dlopen(ROPEWALK_POOL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto use = reinterpret_cast<int (*)()>(dlsym(library, "shares_of_own_pool"));
    ASSERT_NE(use, nullptr) << dlerror();
    {
      [[maybe_unused]] const leaks_allowed workers;
      EXPECT_EQ(use(), 2);
    }
    EXPECT_EQ(thread_states().size(), before + 1);
    EXPECT_TRUE(!is_idle || others_sleep());
    EXPECT_EQ(dlclose(library), 0);
    EXPECT_TRUE(has_threads(before)) << thread_states();
    EXPECT_EQ(dlopen(ROPEWALK_POOL_LIBRARY, RTLD_NOW | RTLD_NOLOAD), nullptr) << "is still loaded";
    EXPECT_EQ(status_of_child([] { return 0; }), 0) << "calls nothing of the library";
  }
}

}  // namespace
}  // namespace ropewalk::test
