#pragma once
// Timing while other programs compete for the processors.

#include <chrono>
#include <functional>
#include <utility>

namespace ropewalk::bench {

/// Times calls during which none of their threads is preempted: other calls would measure the scheduler and
/// other programs. Only the scheduler's count decides which calls are timed again, never the measured time.
class undisturbed {
 public:
  static constexpr int most_tries = 6;

  /// `departures` counts preemptions of the threads that make the calls.
  explicit undisturbed(std::function<long()> departures) : departures_(std::move(departures)) {}

  /// Mean seconds per call over `calls` calls, after an untimed call that leaves the caches as the work does.
  /// If every try was disturbed, the time of the last one.
  template <class Work>
  double seconds_of(int calls, Work& work) {
    for (int tries = 1;; ++tries) {
      work();
      const long before = departures_();
      const auto begin = clock::now();
      for (int call = 0; call < calls; ++call) work();
      const double value = std::chrono::duration<double>(clock::now() - begin).count() / calls;
      const bool is_disturbed = departures_() != before;
      if (is_disturbed && tries < most_tries) continue;
      ++timed_;
      disturbed_ += is_disturbed ? 1 : 0;
      return value;
    }
  }

  /// Share of the timings that were disturbed in every try.
  double disturbed() const { return timed_ == 0 ? 0 : static_cast<double>(disturbed_) / timed_; }

 private:
  using clock = std::chrono::steady_clock;

  std::function<long()> departures_;
  int timed_ = 0;
  int disturbed_ = 0;
};

}  // namespace ropewalk::bench
