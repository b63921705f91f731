#include "export/rows_in_order.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace ropewalk::tables {
namespace {

/// The runs on their way through the stages.
class row_line {
 public:
  row_line(std::int64_t rows, std::int64_t rows_per_run, int threads, const row_stages& stages)
      : stages_(stages),
        rows_(rows),
        rows_per_run_(rows_per_run),
        runs_((rows + rows_per_run - 1) / rows_per_run),
        made_(static_cast<std::size_t>(slots(threads))) {}

  std::int64_t runs() const { return runs_; }

  row_run run(std::int64_t index) const {
    const std::int64_t first = index * rows_per_run_;
    return {first, std::min(rows_per_run_, rows_ - first)};
  }

  /// Takes and makes runs until all are taken.
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return is_closed() || may_take(); });
      if (is_closed()) return;
      take_and_make(lock);
    }
  }

  /// Uses the next run, which the caller's thread helps to make.
  void use_next() {
    std::unique_lock lock(mutex_);
    made_run& next = made_[slot_of(used_)];
    while (!next.is_ready)
      if (may_take())
        take_and_make(lock);
      else
        changed_.wait(lock);
    if (next.failure) std::rethrow_exception(next.failure);
    lock.unlock();
    stages_.use(run(used_), static_cast<int>(slot_of(used_)));
    lock.lock();
    next.is_ready = false;
    ++used_;
    changed_.notify_all();
  }

  /// Lets no further run be taken.
  void close() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    changed_.notify_all();
  }

 private:
  struct made_run {
    bool is_ready = false;
    std::exception_ptr failure;
  };

  std::size_t slot_of(std::int64_t index) const { return static_cast<std::size_t>(index) % made_.size(); }
  bool is_closed() const { return is_stopped_ || taken_ == runs_; }
  bool may_take() const {
    return !is_closed() && !is_taking_ && taken_ - used_ < static_cast<std::int64_t>(made_.size());
  }

  void take_and_make(std::unique_lock<std::mutex>& lock) {
    const std::int64_t index = taken_++;
    const auto slot = static_cast<int>(slot_of(index));
    std::exception_ptr failure;
    const auto attempt = [&](const row_stage& stage) {
      lock.unlock();
      try {
        stage(run(index), slot);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
    };
    if (stages_.take) {
      is_taking_ = true;
      attempt(stages_.take);
      is_taking_ = false;
      changed_.notify_all();
    }
    if (!failure) attempt(stages_.make);
    made_[slot_of(index)] = {true, failure};
    is_stopped_ |= failure != nullptr;
    changed_.notify_all();
  }

  const row_stages& stages_;
  std::int64_t rows_;
  std::int64_t rows_per_run_;
  std::int64_t runs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<made_run> made_;  // by slot
  std::int64_t taken_ = 0;
  std::int64_t used_ = 0;
  bool is_taking_ = false;
  bool is_stopped_ = false;
};

/// Threads that work on a line until it ends or closes; fewer where they fail to start.
class helpers {
 public:
  helpers(row_line& line, int count) : line_(line) {
    try {
      for (int i = 0; i < count; ++i) threads_.emplace_back([&line] { line.work(); });
    } catch (const std::system_error&) {  // the caller's thread makes what no other does
    }
  }
  ~helpers() { line_.close(); }
  helpers(const helpers&) = delete;
  helpers& operator=(const helpers&) = delete;

 private:
  row_line& line_;
  std::vector<std::jthread> threads_;
};

}  // namespace

void in_order(std::int64_t rows, std::int64_t rows_per_run, int threads, output::progress_bar& progress,
              const row_stages& stages) {
  row_line line(rows, rows_per_run, threads, stages);
  const helpers others(line, static_cast<int>(std::min<std::int64_t>(threads, line.runs())) - 1);
  for (std::int64_t index = 0; index < line.runs(); ++index) {
    line.use_next();
    progress.show(static_cast<std::uint64_t>(line.run(index).first + line.run(index).count));
  }
}

std::int64_t rows_per_run(std::int64_t columns) {
  constexpr std::int64_t entries = 1 << 16;
  return std::max<std::int64_t>(1, entries / columns);
}

}  // namespace ropewalk::tables
