// A library with a pool of its own, which thread_pool_life_test.cpp loads and unloads.

#include "kernel/watched_threads.hpp"

/// Runs one share on each of the pool's two threads, and returns the number of shares.
extern "C" __attribute__((visibility("default"))) int shares_of_own_pool() {
  return static_cast<int>(ropewalk::test::ids_of(ropewalk::detail::process_pool(2)).size());
}
