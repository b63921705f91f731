#include "bench/thread_team.hpp"

#include <hwy/cache_control.h>

#include <chrono>
#include <cstring>
#include <utility>

namespace ropewalk::bench {
namespace {

using clock = std::chrono::steady_clock;

// Longer than what lies between two runs of a round, or between the ends of two equal shares of a call of
// some milliseconds; and a small part of a scheduler's tick.
constexpr std::chrono::microseconds spin{500};
constexpr int looks_a_reading = 64;  // at the value, for each reading of the clock
constexpr std::size_t cache_line = 64;

/// Spins briefly, then waits, until the value is no longer `old`.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  const auto until = clock::now() + spin;
  do {
    for (int look = 0; look < looks_a_reading; ++look) {
      if (value.load(std::memory_order_acquire) != old) return;
      hwy::Pause();
    }
  } while (clock::now() < until);
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

thread_team::thread_team(int members) : failures_(static_cast<std::size_t>(members)) {
  if (members > 1 && has_processors()) maker_.emplace(processors_.front());
  try {
    for (int member = 1; member < members; ++member) threads_.emplace_back([this, member] { stay(member); });
  } catch (...) {
    end();
    throw;
  }
}

void thread_team::begin(const std::function<void(int)>* work) {
  work_ = work;
  running_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  begun_.fetch_add(1, std::memory_order_release);
  begun_.notify_all();
}

void thread_team::end() noexcept {
  begin(nullptr);
  threads_.clear();
}

void thread_team::attempt(int member) noexcept {
  try {
    (*work_)(member);
  } catch (...) {
    failures_[static_cast<std::size_t>(member)] = std::current_exception();
  }
}

void thread_team::stay(int member) {
  std::optional<moved_thread> here;
  if (has_processors()) here.emplace(processors_[static_cast<std::size_t>(member)]);
  for (std::uint32_t run = 0;; ++run) {
    await_change(begun_, run);
    if (work_ == nullptr) return;
    attempt(member);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_one();
  }
}

void thread_team::run(const std::function<void(int)>& work) {
  begin(&work);
  attempt(0);
  for (std::uint32_t left = running_.load(std::memory_order_acquire); left != 0;
       left = running_.load(std::memory_order_acquire))
    await_change(running_, left);
  std::exception_ptr first;
  for (std::exception_ptr& failure : failures_) {
    std::exception_ptr one = std::exchange(failure, nullptr);
    if (!first) first = std::move(one);
  }
  if (first) std::rethrow_exception(first);
}

long thread_team::departures() {
  std::atomic<long> r{0};
  run([&](int) { r.fetch_add(bench::departures(), std::memory_order_relaxed); });
  return r.load(std::memory_order_relaxed);
}

void copy_on(thread_team& team, std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto members = static_cast<std::size_t>(team.members());
  const auto begin_of = [&](std::size_t part) {
    return part == members ? bytes : bytes / members * part / cache_line * cache_line;
  };
  team.run([&](int member) {
    const std::size_t begin = begin_of(static_cast<std::size_t>(member)),
                      end = begin_of(static_cast<std::size_t>(member) + 1);
    std::memcpy(to + begin, from + begin, end - begin);
  });
}

}  // namespace ropewalk::bench
