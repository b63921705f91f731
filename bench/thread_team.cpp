#include "bench/thread_team.hpp"

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

namespace ropewalk::bench {
namespace {

constexpr std::size_t cache_line = 64;

}  // namespace

thread_team::thread_team(int members) : failures_(static_cast<std::size_t>(members)) {
  const std::vector<int> processors = usable_processors();
  const bool is_placed = members > 1 && failures_.size() <= processors.size();
  pool_.emplace(members, is_placed ? processors : std::vector<int>());
  if (pool_->workers() + 1 != members) throw std::runtime_error("a thread of a team does not start");
  if (is_placed) maker_.emplace(processors.front());
}

void thread_team::attempt(const std::function<void(int)>& work, int member) noexcept {
  try {
    work(member);
  } catch (...) {
    failures_[static_cast<std::size_t>(member)] = std::current_exception();
  }
}

void thread_team::run(const std::function<void(int)>& work) {
  std::atomic<int> arrived{0};
  pool_->run(members(), [&](int member) noexcept {
    arrived.fetch_add(1);
    // Wait for all members: otherwise, a caller that ends early would run work that other threads have not
    // begun.
    const auto have_all = [&] { return arrived.load() == members(); };
    while (member == 0 && !detail::spin_until(have_all)) std::this_thread::yield();
    attempt(work, member);
  });
  std::exception_ptr first;
  for (std::exception_ptr& failure : failures_) {
    std::exception_ptr ptr = std::exchange(failure, nullptr);
    if (!first) first = std::move(ptr);
  }
  if (first) std::rethrow_exception(first);
}

long thread_team::departures() {
  std::atomic<long> result{0};
  run([&](int) { result.fetch_add(bench::departures(), std::memory_order_relaxed); });
  return result.load(std::memory_order_relaxed);
}

void copy_on(thread_pool& pool, std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto parts = static_cast<std::size_t>(pool.threads());
  const auto begin_of = [&](std::size_t part) {
    return part == parts ? bytes : bytes / parts * part / cache_line * cache_line;
  };
  pool.run(pool.threads(), [&](int part) noexcept {
    const std::size_t begin = begin_of(static_cast<std::size_t>(part)),
                      end = begin_of(static_cast<std::size_t>(part) + 1);
    std::memcpy(to + begin, from + begin, end - begin);
  });
}

}  // namespace ropewalk::bench
