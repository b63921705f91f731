#pragma once
// Timing where other programs want the processors too.

#include <chrono>
#include <functional>
#include <utility>

namespace ropewalk::bench {

/// Times calls during which no thread of theirs loses its processor: other calls would measure the scheduler
/// and what it ran instead. What it did decides what is timed again, and never the time that was measured.
class undisturbed {
 public:
  static constexpr int most_tries = 6;

  /// `departures` counts how often the threads that make the calls have lost their processors so far.
  explicit undisturbed(std::function<long()> departures) : departures_(std::move(departures)) {}

  /// Mean seconds per call over `calls` calls, after an untimed one that leaves the caches as the work does;
  /// of the last try, if each was disturbed.
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

  /// The share of what was timed that was disturbed in every try.
  double disturbed() const { return timed_ == 0 ? 0 : static_cast<double>(disturbed_) / timed_; }

 private:
  using clock = std::chrono::steady_clock;

  std::function<long()> departures_;
  int timed_ = 0;
  int disturbed_ = 0;
};

}  // namespace ropewalk::bench
