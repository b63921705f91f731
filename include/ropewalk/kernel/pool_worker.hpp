#pragma once
// One thread of a pool. A call reserves it, gives it a part of its work, and waits for it or takes the part
// back.

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "ropewalk/kernel/processors.hpp"

namespace ropewalk::detail {

/// Consecutive shares of a call's work.
struct work_part {
  void (*run)(const void* work, int share) noexcept = nullptr;
  const void* work = nullptr;
  int begin = 0;
  int end = 0;

  void operator()() const noexcept {
    for (int share = begin; share < end; ++share) run(work, share);
  }
};

/// Hints to the processor that the thread spins.
inline void pause() noexcept {
#if defined(__x86_64__)
  asm volatile("pause" ::: "memory");
#else
  asm volatile("isb" ::: "memory");
#endif
}

/// Spin time before a thread sleeps: twice the cost of a wake, which takes 25 microseconds on a virtual
/// machine of an EPYC. A spin in vain thus costs little more than the wake that it may save.
inline constexpr std::chrono::microseconds longest_spin{50};

/// Spins until holds() is true, for at most `longest_spin`. Returns the last answer.
template <class Condition>
bool spin_until(const Condition& holds) noexcept {
  using clock = std::chrono::steady_clock;
  constexpr int looks = 32;  // per reading of the clock, which costs a few looks
  for (clock::time_point end{};;) {
    for (int look = 0; look < looks; ++look) {
      if (holds()) return true;
      pause();
    }
    const clock::time_point now = clock::now();
    if (end == clock::time_point{}) end = now + longest_spin;
    if (now >= end) return false;
  }
}

/// Blocks process-directed signals on the calling thread, and on threads that it starts, during its own
/// lifetime: a handler may rely on running on a thread of its own program. Signals that a thread raises
/// itself, such as SIGSEGV, are unchanged.
class blocked_signals {
 public:
  blocked_signals() noexcept {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&blocked, own);
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  ~blocked_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  blocked_signals(const blocked_signals&) = delete;
  blocked_signals& operator=(const blocked_signals&) = delete;

 private:
  sigset_t before_;
};

/// A persistent thread with a one-word state. While the worker is reserved, only its call and the worker
/// itself change the state.
///
///     idle, asleep -> reserved -> given -> running -> finished -> idle
///     idle -> asleep                    the worker has spun for longest_spin
///     given -> idle                     the call takes back a part that the worker has not begun
///     running -> awaited -> finished    the call sleeps meanwhile
///     reserved -> dismissed             the thread ends
class alignas(128) pool_worker {  // two cache lines, which processors fetch together
 public:
  /// throws  std::system_error: the thread does not start
  explicit pool_worker(int processor) {
    const blocked_signals inherited;
    thread_ = std::thread([this, processor] {
      if (processor >= 0) stay_on({&processor, 1});
      stay();
    });
  }
  pool_worker(const pool_worker&) = delete;
  pool_worker& operator=(const pool_worker&) = delete;

  /// Reserves the worker for a call, unless another call has it. Reserves a sleeping worker only if
  /// `may_wake`.
  bool reserve(bool may_wake) noexcept {
    std::uint32_t now = state_.load(std::memory_order_relaxed);
    while (now == idle || (now == asleep && may_wake))
      if (state_.compare_exchange_weak(now, reserved)) {
        is_asleep_ = now == asleep;
        return true;
      }
    return false;
  }

  /// Whether the reserved worker was asleep.
  bool is_asleep() const noexcept { return is_asleep_; }

  /// Gives a part to the reserved worker.
  void give(const work_part& part) noexcept {
    part_ = part;
    state_.store(given, std::memory_order_release);
    if (is_asleep_) state_.notify_one();
  }

  /// Runs the given part on the calling thread if the worker has not begun it; otherwise waits for the
  /// worker. Frees the worker for other calls.
  void complete() noexcept {
    const work_part part = part_;
    std::uint32_t now = given;
    if (state_.compare_exchange_strong(now, idle)) return part();
    const auto is_finished = [this] { return state_.load(std::memory_order_acquire) == finished; };
    if (!spin_until(is_finished)) {
      now = running;
      if (state_.compare_exchange_strong(now, awaited)) state_.wait(awaited, std::memory_order_acquire);
    }
    state_.store(idle, std::memory_order_release);
  }

  /// Ends the thread, unless a call has reserved the worker.
  void dismiss() noexcept {
    if (!reserve(true)) return;
    state_.store(dismissed, std::memory_order_release);
    if (is_asleep_) state_.notify_one();
    thread_.join();
  }

  std::atomic<pool_worker*> next{nullptr};  // in its pool
  pool_worker* next_of_call = nullptr;      // belongs to the call that reserved the worker

 private:
  enum state : std::uint32_t { idle, asleep, reserved, given, running, awaited, finished, dismissed };

  void stay() noexcept {
    for (;;) {
      std::uint32_t now = idle;
      const bool has_news = spin_until([&] {
        now = state_.load(std::memory_order_relaxed);
        return now == given || now == dismissed;
      });
      if (now == dismissed) return;
      if (has_news)
        run_part();
      else if (state_.compare_exchange_strong(now = idle, asleep))
        state_.wait(asleep);
    }
  }

  void run_part() noexcept {
    std::uint32_t now = given;
    if (!state_.compare_exchange_strong(now, running)) return;  // taken back
    part_();
    if (state_.exchange(finished) == awaited) state_.notify_one();
  }

  std::atomic<std::uint32_t> state_{idle};
  bool is_asleep_ = false;  // when it was reserved
  work_part part_;
  std::thread thread_;
};

}  // namespace ropewalk::detail
