#include "search/schedule.hpp"

#include <algorithm>
#include <mutex>

#include "ropewalk/table/in_order.hpp"
#include "search/dice.hpp"

namespace ropewalk::search {
namespace {

class worker_pool {
 public:
  worker_pool(const std::vector<job>& jobs, const plan& how, const std::atomic<bool>& stopped,
              const std::function<void(double)>& on_progress)
      : jobs_(jobs), how_(how), stopped_(stopped), on_progress_(on_progress), outcomes_(jobs.size()) {
    for (const job& job : jobs) stages_ = std::max(stages_, job.stages.size());
    if (how.budget.count() <= 0) return;
    const auto after = [now = clock::now()](std::chrono::duration<double> time) {
      return now + std::chrono::duration_cast<clock::duration>(time);
    };
    deadline_ = after(how.budget);
    end_of_stages_ = after(std::max(how.budget, how.limit));
  }

  std::vector<outcome> run() {
    for (stage_ = 0; stage_ <= stages_; ++stage_) {
      next_ = 0;
      on_threads(how_.threads, [this](int) { work(); });
    }
    return std::move(outcomes_);
  }

 private:
  bool has_budget() const { return deadline_ != clock::time_point{}; }
  clock::time_point end() const { return stage_ < stages_ ? end_of_stages_ : deadline_; }

  /// In a stage, allows cases up to the stage's number. After the stages, gives the job its share of the
  /// remaining time of all threads.
  limits limits_of(const job& job, std::size_t jobs_left) const {
    limits result{0, how_.most_cases, {}, end()};
    if (stage_ < stages_) {
      result.least_cases = stage_ < job.stages.size() ? std::min(job.stages[stage_], how_.most_cases) : 0;
      result.deadline = clock::now();
    } else if (has_budget()) {
      const std::chrono::duration<double> left = deadline_ - clock::now();
      const double share = std::max(left.count(), 0.0) * how_.threads / static_cast<double>(jobs_left);
      result.deadline =
          clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(share));
    }
    return result;
  }

  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (next_ == jobs_.size() || has_failed_) return;
      const std::size_t index = next_++;
      const limits until = limits_of(jobs_[index], jobs_.size() - index);
      const bool is_due = (stage_ == stages_ || until.least_cases > outcomes_[index].asked()) &&
                          (!has_budget() || clock::now() < end());
      lock.unlock();
      if (is_due) go_on(index, until);
      lock.lock();
      on_progress_(static_cast<double>(++done_) / static_cast<double>(jobs_.size() * (stages_ + 1)));
    }
  }

  /// Runs one job. An exception ends the whole run: no further job starts.
  void go_on(std::size_t index, const limits& until) {
    try {
      jobs_[index].go_on(until, stopped_, outcomes_[index]);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      has_failed_ = true;
      throw;
    }
  }

  const std::vector<job>& jobs_;
  const plan& how_;
  const std::atomic<bool>& stopped_;
  const std::function<void(double)>& on_progress_;
  std::vector<outcome> outcomes_;
  clock::time_point deadline_{};
  clock::time_point end_of_stages_{};
  std::size_t stages_ = 0;
  std::size_t stage_ = 0;
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
                         const std::function<void(double share)>& on_progress) {
  return worker_pool(jobs, how, stopped, on_progress).run();
}

}  // namespace ropewalk::search
