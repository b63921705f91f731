#pragma once
// Threads that persist between calls, so that a call starts no thread and allocates nothing.

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "ropewalk/kernel/pool_worker.hpp"
#include "ropewalk/kernel/processors.hpp"

namespace ropewalk {

namespace detail {

/// Number of this process, from 1: a process that fork() makes has its parent's number plus one.
inline std::atomic<std::uint32_t> process_number{1};

/// Counts processes from now on, by a handler of fork().
inline void count_processes() noexcept {
  [[maybe_unused]] static const int status =
      pthread_atfork(nullptr, nullptr, [] { process_number.fetch_add(1, std::memory_order_relaxed); });
}

/// A lock that is only tried. If fork() copies it locked, it is free in the child process, which lacks the
/// thread that holds it.
class process_lock {
 public:
  bool try_lock(std::uint32_t process) noexcept {
    std::uint32_t holder = holder_.load(std::memory_order_relaxed);
    return holder != process && holder_.compare_exchange_strong(holder, process);
  }
  void unlock() noexcept { holder_.store(0, std::memory_order_release); }

 private:
  std::atomic<std::uint32_t> holder_{0};
};

}  // namespace detail

/// Threads for calls of kernels: the caller's own, and workers that spin briefly after a call and then sleep.
///
/// Any number of threads may call at once, also from within a call. Each call uses the free workers and runs
/// all parts itself that no worker has begun, so it never waits for another call. Workers block the signals
/// that are sent to the process. They inherit priority and processors from the thread that makes the pool. In
/// a process made by fork(), the first call starts new workers.
class thread_pool {
 public:
  /// Starts threads - 1 workers, or fewer if the system refuses. Worker i, counted from 1, stays on processor
  /// processors[i mod size] if the maker may run there; processors[0] is left to the caller, which is never
  /// pinned. Without processors the system places the workers.
  ///
  /// domain  threads >= 1; the pool outlives its calls
  explicit thread_pool(int threads, std::vector<int> processors = {}) noexcept
      : processors_(std::move(processors)) {
    detail::count_processes();
    grow(threads);
  }
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;
  ~thread_pool() {
    close();
    for (detail::pool_worker* worker = first_worker(); worker != nullptr;)
      delete std::exchange(worker, worker->next.load(std::memory_order_relaxed));
  }

  /// Largest number of threads requested; a call has as many ranges.
  int threads() const noexcept { return asked_.load(std::memory_order_relaxed); }

  /// Workers that started.
  int workers() const noexcept {
    int workers = 0;
    for (const detail::pool_worker* worker = first_worker(); worker != nullptr; worker = worker->next)
      ++workers;
    return workers;
  }

  /// Starts workers until there are threads - 1, unless another thread does so now. Workers that the system
  /// refused are tried again only if more are requested.
  void grow(int threads) noexcept;

  /// Ends all workers that do not run a part. Later calls have no workers.
  void close() noexcept;

  /// Calls work(share) for shares 0 .. shares - 1: the first ones on the caller's thread, the others on free
  /// workers, in contiguous parts whose lengths differ by at most one. If every share but the first has its
  /// own worker, a share runs on the same thread in each call. At most `most_woken` sleeping workers are
  /// woken.
  ///
  /// domain  shares >= 1; work does not throw
  template <class Work>
  void run(int shares, const Work& work, int most_woken = std::numeric_limits<int>::max()) noexcept {
    static_assert(std::is_nothrow_invocable_v<const Work&, int>);
    run_parts({[](const void* untyped, int share) noexcept { (*static_cast<const Work*>(untyped))(share); },
               &work, 0, shares},
              most_woken);
  }

 private:
  detail::pool_worker* first_worker() const noexcept {
    return belongs_to(detail::process_number.load(std::memory_order_relaxed)) ? first_.load() : nullptr;
  }
  bool belongs_to(std::uint32_t process) const noexcept {
    return process_.load(std::memory_order_acquire) == process;
  }
  bool start_worker(int number) noexcept;
  void run_parts(const detail::work_part& all, int most_woken) noexcept;

  const std::vector<int> processors_;
  std::atomic<detail::pool_worker*> first_{nullptr};
  std::atomic<std::uint32_t> process_{0};  // the process that started the workers
  std::atomic<int> asked_{1};
  std::atomic<bool> is_closed_{false};
  detail::process_lock growing_;
};

inline void thread_pool::grow(int threads) noexcept {
  const std::uint32_t process = detail::process_number.load(std::memory_order_relaxed);
  if (belongs_to(process) && threads <= asked_.load(std::memory_order_relaxed)) return;
  if (!growing_.try_lock(process)) return;
  if (!belongs_to(process)) {
    // The workers of a parent are left in memory: they have no threads here that could be joined.
    first_.store(nullptr);
    process_.store(process, std::memory_order_release);
  }
  asked_.store(std::max(threads, asked_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
  for (int number = workers() + 1; number < asked_.load(std::memory_order_relaxed); ++number)
    if (is_closed_.load() || !start_worker(number)) break;
  growing_.unlock();
}

inline bool thread_pool::start_worker(int number) noexcept try {
  int processor = -1;
  if (!processors_.empty()) {
    processor = processors_[static_cast<std::size_t>(number) % processors_.size()];
    const std::vector<int> allowed = allowed_processors();
    if (std::find(allowed.begin(), allowed.end(), processor) == allowed.end()) processor = -1;
  }
  std::atomic<detail::pool_worker*>* end = &first_;
  while (detail::pool_worker* const worker = end->load()) end = &worker->next;
  end->store(new detail::pool_worker(processor));
  return true;
} catch (...) {
  return false;
}

inline void thread_pool::close() noexcept {
  is_closed_.store(true);
  for (detail::pool_worker* worker = first_worker(); worker != nullptr; worker = worker->next)
    worker->dismiss();
}

inline void thread_pool::run_parts(const detail::work_part& all, int most_woken) noexcept {
  grow(1);
  detail::pool_worker* first = nullptr;
  detail::pool_worker** end = &first;
  int threads = 1;
  for (detail::pool_worker* worker = first_worker(); worker != nullptr && threads < all.end;
       worker = worker->next)
    if (worker->reserve(most_woken > 0)) {
      if (worker->is_asleep()) --most_woken;
      *end = worker;
      end = &worker->next_of_call;
      ++threads;
    }
  *end = nullptr;
  const auto begin_of = [&](int part) {
    return all.end / threads * part + std::min(part, all.end % threads);
  };
  const auto part = [&](int number) {
    return detail::work_part{all.run, all.work, begin_of(number), begin_of(number + 1)};
  };
  int number = 0;
  for (detail::pool_worker* worker = first; worker != nullptr; worker = worker->next_of_call)
    worker->give(part(++number));
  part(0)();
  while (first != nullptr) std::exchange(first, first->next_of_call)->complete();
}

namespace detail {

/// The pool of calls that name no pool. It grows to the largest number of threads requested, at most one per
/// processor on which the first caller may run.
///
/// Its memory is never freed, so that the destructors of other static objects may still make calls. Its
/// workers end when the program exits, or when the library that has this code is unloaded.
///
/// domain  threads >= 1
/// throws  std::bad_alloc, in the first call
inline thread_pool& process_pool(int threads) {
  static const std::size_t allowed = allowed_processors().size();  // 0: unknown
  static const std::size_t most = allowed > 0 ? allowed : std::thread::hardware_concurrency();
  alignas(thread_pool) static std::byte memory[sizeof(thread_pool)];
  static thread_pool* const pool = new (memory) thread_pool(1);
  struct closing {
    ~closing() { pool->close(); }
  };
  static const closing at_exit;
  pool->grow(static_cast<int>(std::min(static_cast<std::size_t>(threads), most)));
  return *pool;
}

}  // namespace detail

}  // namespace ropewalk
