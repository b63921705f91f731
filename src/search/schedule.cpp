#include "search/schedule.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "ropewalk/table/in_order.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {
namespace {

/// Jobs that must run many cases first: what they leave of the time is then known.
std::vector<std::size_t> order_of(const std::vector<job>& jobs) {
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].least_cases > jobs[b].least_cases; });
  return order;
}

class worker_pool {
 public:
  worker_pool(const std::vector<job>& jobs, const plan& how, const std::atomic<bool>& stopped,
              const std::function<void(std::size_t)>& on_progress)
      : jobs_(jobs),
        how_(how),
        stopped_(stopped),
        on_progress_(on_progress),
        order_(order_of(jobs)),
        outcomes_(jobs.size()),
        begin_(clock::now()) {}

  std::vector<outcome> run() {
    on_threads(how_.threads, [this](int) { work(); });
    return std::move(outcomes_);
  }

 private:
  /// This job's share of the time that is left, on all threads.
  limits limits_of(const job& one, std::size_t jobs_left) const {
    limits r{one.least_cases, std::max(one.least_cases, how_.most_cases), {}};
    if (how_.budget.count() <= 0) return r;
    const std::chrono::duration<double> left = how_.budget - (clock::now() - begin_);
    const double share = std::max(left.count(), 0.0) * how_.threads / static_cast<double>(jobs_left);
    r.deadline =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(share));
    return r;
  }

  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (next_ == order_.size() || has_failed_) return;
      const std::size_t index = order_[next_];
      const job& one = jobs_[index];
      const limits until = limits_of(one, order_.size() - next_);
      ++next_;
      lock.unlock();
      outcome found = run(one, until);
      lock.lock();
      outcomes_[index] = std::move(found);
      on_progress_(++done_);
    }
  }

  /// After a failure, which ends the whole run, no job is begun.
  outcome run(const job& one, const limits& until) {
    try {
      return one.run(until, stopped_);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      has_failed_ = true;
      throw;
    }
  }

  const std::vector<job>& jobs_;
  const plan& how_;
  const std::atomic<bool>& stopped_;
  const std::function<void(std::size_t)>& on_progress_;
  std::vector<std::size_t> order_;
  std::vector<outcome> outcomes_;
  clock::time_point begin_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  bool has_failed_ = false;
};

}  // namespace

std::uint64_t job_seed(std::uint64_t seed, const std::string& model, ropewalk_dtype dtype,
                       std::string_view law) {
  return seed_of(seed_of(seed_of(seed, model), name_of(dtype)), law);
}

std::vector<outcome> run(const std::vector<job>& jobs, const plan& how, const std::atomic<bool>& stopped,
                         const std::function<void(std::size_t done)>& on_progress) {
  return worker_pool(jobs, how, stopped, on_progress).run();
}

}  // namespace ropewalk::search
